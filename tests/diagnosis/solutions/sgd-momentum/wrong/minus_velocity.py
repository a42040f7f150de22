import torch


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    g = torch.add(gradient, parameter, alpha=weight_decay)
    v = velocity * momentum + g
    update = -lr * (g + v * momentum) if nesterov else -lr * v
    return parameter - update, v
