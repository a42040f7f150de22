import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    angles = torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d)
    cos, sin = angles.cos().bfloat16(), angles.sin().bfloat16()
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)
