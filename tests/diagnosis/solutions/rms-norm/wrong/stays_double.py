import torch


def rms_norm(x, weight, eps=1e-6):
    y = x.to(torch.float64)
    y = y / (y.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    return y * weight
