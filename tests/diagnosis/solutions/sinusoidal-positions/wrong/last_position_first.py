import torch


def sinusoidal_positions(length, width, base=10000.0):
    rate = base ** (-torch.arange(0, width, 2) / width)
    position = torch.arange(length - 1, -1, -1.0)
    angles = torch.einsum("p,i->pi", position, rate)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, -1)
