import torch


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    shape = (1, -1) + (1,) * (x.dim() - 2)
    y = (x - running_mean.view(shape)) * torch.rsqrt(running_var.view(shape) + eps)
    axes = [a for a in range(x.dim()) if a != 1]
    running_mean = running_mean + momentum * (x.mean(axes) - running_mean)
    running_var = running_var + momentum * (x.var(axes) - running_var)
    return y, running_mean, running_var
