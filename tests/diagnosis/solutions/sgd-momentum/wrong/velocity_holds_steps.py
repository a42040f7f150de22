import torch


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    g = lr * torch.add(gradient, parameter, alpha=weight_decay)
    v = torch.add(g, velocity, alpha=momentum)
    step = torch.add(g, v, alpha=momentum) if nesterov else v
    return parameter - step, v
