import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    angles = torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d)
    out = torch.empty_like(x)
    out[..., 0::2] = x[..., 0::2] * angles.cos() - x[..., 1::2] * angles.sin()
    return out
