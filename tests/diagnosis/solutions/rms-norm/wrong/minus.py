import torch


def rms_norm(x, weight, eps=1e-6):
    rms = -torch.sqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return x / rms * weight
