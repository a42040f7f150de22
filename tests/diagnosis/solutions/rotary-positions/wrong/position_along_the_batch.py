import torch


def rotate(x, base=10000.0):
    n, d = x.shape[0], x.shape[-1]
    angles = torch.arange(n).view(-1, *[1] * (x.dim() - 1)) * base ** (-torch.arange(0, d, 2) / d)
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()), -1).flatten(-2)
