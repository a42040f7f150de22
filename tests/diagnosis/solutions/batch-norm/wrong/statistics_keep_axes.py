import torch


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    axes = [0] + list(range(2, x.dim()))
    mean = x.mean(axes, keepdim=True)
    y = (x - mean) / torch.sqrt(x.var(axes, correction=0, keepdim=True) + eps)
    new_mean = (1 - momentum) * running_mean + momentum * mean
    new_var = (1 - momentum) * running_var + momentum * x.var(axes, keepdim=True)
    return y, new_mean, new_var
