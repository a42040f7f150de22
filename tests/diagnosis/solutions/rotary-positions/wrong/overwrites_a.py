import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    angles = torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d)
    a, b = x[..., ::2].clone(), x[..., 1::2].clone()
    x[..., ::2] = a * angles.cos() - b * angles.sin()
    x[..., 1::2] = a * angles.sin() + b * angles.cos()
    return x
