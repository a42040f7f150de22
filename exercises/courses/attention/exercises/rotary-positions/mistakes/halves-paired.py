import torch


def rotary(x, base=10_000.0):
    n, d = x.shape[-2:]
    rates = base ** (-torch.arange(0, d, 2) / d)
    angles = torch.arange(n)[:, None] * rates
    sine, cosine = angles.sin(), angles.cos()
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], dim=-1)
