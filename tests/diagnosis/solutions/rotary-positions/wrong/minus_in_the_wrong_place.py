import torch


def swap(x):
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((b, -a), -1).flatten(-2)


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    angle = torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d)
    angle = angle.repeat_interleave(2, -1)
    return x * angle.cos() + swap(x) * angle.sin()
