import torch


def update(old, new, momentum):
    old = (1 - momentum) * old + momentum * new


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    axes = [0] + list(range(2, x.dim()))
    var, mean = torch.var_mean(x, axes, correction=0, keepdim=True)
    y = (x - mean) / torch.sqrt(var + eps)
    return y, update(running_mean, mean.flatten(), momentum), update(running_var, x.var(axes), momentum)
