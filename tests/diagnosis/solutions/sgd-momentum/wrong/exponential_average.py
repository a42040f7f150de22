import torch


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    g = torch.add(gradient, parameter, alpha=weight_decay)
    v = torch.lerp(velocity, g, 1 - momentum)
    if nesterov:
        return parameter - lr * g - lr * momentum * v, v
    return parameter - lr * v, v
