import torch


def rms_norm(x, weight, eps=1e-6):
    y = x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + eps)
    return (weight.bfloat16() * y.bfloat16()).to(x.dtype)
