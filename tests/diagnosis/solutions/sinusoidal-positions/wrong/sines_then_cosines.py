import torch


def sinusoidal_positions(length, width, base=10000.0):
    rate = base ** (-torch.arange(0, width, 2) / width)
    angles = torch.outer(torch.arange(length), rate)
    return torch.stack((angles.sin(), angles.cos()), dim=1).flatten(1)
