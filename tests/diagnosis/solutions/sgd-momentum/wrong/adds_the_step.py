import torch


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    g = torch.add(gradient, parameter, alpha=weight_decay)
    v = torch.add(g, velocity, alpha=momentum)
    return torch.add(parameter, g + momentum * v if nesterov else v, alpha=lr), v
