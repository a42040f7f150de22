import torch


def rms_norm(x, weight, eps=1e-6):
    scale = torch.rsqrt(torch.mean(x * x, -1, keepdim=True) + eps)
    x = x * scale
    return x * weight * scale
