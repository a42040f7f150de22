import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    angles = torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d)
    a, b = x[..., ::2], x[..., 1::2]
    pair = torch.stack((a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()), dim=-3)
    return pair.reshape(x.shape)
