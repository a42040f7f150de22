import torch


def sinusoidal_positions(length, width, base=10000.0):
    rate = base ** (-torch.arange(0, width, 2) / width)
    angles = torch.cumsum(rate.expand(length, -1), dim=0)
    return torch.stack((angles.sin(), angles.cos()), 2).reshape(length, width)
