import torch


def rotary(x, base=10_000.0):
    n, d = x.shape[-2:]
    rates = base ** (-torch.arange(0, d, 2) / d)
    angles = torch.arange(n)[:, None] * rates
    sine, cosine = angles.sin(), angles.cos()
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack([first * cosine - second * sine, first * sine + second * cosine], dim=-1).flatten(-2)
