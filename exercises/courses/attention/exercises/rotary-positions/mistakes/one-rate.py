import torch


def rotary(x, base=10_000.0):
    angles = torch.arange(x.shape[-2])[:, None]
    sine, cosine = angles.sin(), angles.cos()
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack([first * cosine - second * sine, first * sine + second * cosine], dim=-1).flatten(-2)
