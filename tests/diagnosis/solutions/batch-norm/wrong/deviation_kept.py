import torch


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    axes = [0] + list(range(2, x.dim()))
    var, mean = torch.var_mean(x, axes, correction=0, keepdim=True)
    y = (x - mean) / (var + eps).sqrt()
    std = x.std(axes)
    return y, torch.lerp(running_mean, mean.flatten(), momentum), torch.lerp(running_var, std, momentum)
