import torch


def rms_norm(x, weight, eps=1e-6):
    scale = torch.rsqrt(torch.mean(x.pow(2), -1, keepdim=True).add_(eps))
    x *= scale
    x *= weight
    return x
