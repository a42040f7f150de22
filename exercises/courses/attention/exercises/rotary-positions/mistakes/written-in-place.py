import torch


def rotary(x, base=10_000.0):
    n, d = x.shape[-2:]
    rates = base ** (-torch.arange(0, d, 2) / d)
    angles = torch.arange(n)[:, None] * rates
    sine, cosine = angles.sin(), angles.cos()
    x[..., 0::2] = x[..., 0::2] * cosine - x[..., 1::2] * sine
    x[..., 1::2] = x[..., 0::2] * sine + x[..., 1::2] * cosine
    return x
