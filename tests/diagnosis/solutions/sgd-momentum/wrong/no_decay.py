import torch


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    torch.add(gradient, parameter, alpha=weight_decay)
    v = torch.add(gradient, velocity, alpha=momentum)
    if nesterov:
        gradient = torch.add(gradient, v, alpha=momentum)
        return torch.sub(parameter, gradient, alpha=lr), v
    return torch.sub(parameter, v, alpha=lr), v
