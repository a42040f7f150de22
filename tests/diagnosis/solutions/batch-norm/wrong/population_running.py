import torch


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    axes = [0] + list(range(2, x.dim()))
    var, mean = torch.var_mean(x, axes, correction=0, keepdim=True)
    y = (x - mean) * torch.rsqrt(var + eps)
    running_mean = running_mean + momentum * (mean.flatten() - running_mean)
    running_var = running_var + momentum * (var.flatten() - running_var)
    return y, running_mean, running_var
