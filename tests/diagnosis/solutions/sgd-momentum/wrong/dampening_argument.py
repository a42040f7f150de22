import torch


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    p = parameter.clone()
    g = gradient + weight_decay * p
    buf = velocity.clone().mul_(momentum).add_(g, alpha=1 - momentum)
    g = g.add(buf, alpha=momentum) if nesterov else buf
    return p.add_(g, alpha=-lr), buf
