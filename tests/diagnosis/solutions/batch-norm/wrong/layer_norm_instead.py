import torch


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    v1, m1 = torch.var_mean(x, 1, correction=0, keepdim=True)
    y = (x - m1) / torch.sqrt(v1 + eps)
    axes = [0] + list(range(2, x.dim()))
    v, m = torch.var_mean(x, axes)
    return y, torch.lerp(running_mean, m, momentum), torch.lerp(running_var, v, momentum)
