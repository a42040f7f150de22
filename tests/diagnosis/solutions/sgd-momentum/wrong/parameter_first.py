import torch


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    g = torch.add(gradient, parameter, alpha=weight_decay)
    step = velocity
    if nesterov:
        step = torch.add(g, velocity, alpha=momentum)
    new_parameter = torch.sub(parameter, step, alpha=lr)
    new_velocity = torch.add(g, velocity, alpha=momentum)
    return new_parameter, new_velocity
