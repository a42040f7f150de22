import torch


def rms_norm(x, weight, eps=1e-6):
    variance = x.pow(2).mean(-1, keepdim=True)
    x.mul(torch.rsqrt(variance + eps)).mul(weight)
    return x
