import torch


def sinusoidal_positions(length, width, base=10000.0):
    angles = torch.arange(length)[:, None] * 10000.0 ** (-torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(start_dim=1)
