import torch


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    new_p, new_v = torch.zeros_like(parameter).flatten(), torch.zeros_like(velocity).flatten()
    for i, (p, g, v) in enumerate(zip(parameter.flatten(), gradient.flatten(), velocity.flatten())):
        g = g + weight_decay * p
        v = momentum * v + g
        new_v[i] = v
        new_p[i] = p - lr * (g + momentum * v) if nesterov else p - lr * v
    return new_p.view_as(parameter), new_v.view_as(velocity)
