import torch


def rms_norm(x, weight, eps=1e-6):
    ms = torch.mean(x**2, dim=-2, keepdim=True)
    return x * torch.rsqrt(ms + eps) * weight
