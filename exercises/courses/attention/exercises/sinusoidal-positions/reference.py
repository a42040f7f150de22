import torch


def sinusoidal_positions(n, d):
    rates = 10_000 ** (-torch.arange(0, d, 2) / d)
    angles = torch.arange(n)[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
