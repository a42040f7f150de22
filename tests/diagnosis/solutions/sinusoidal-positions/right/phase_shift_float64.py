import torch


def sinusoidal_positions(length, width, base=10000.0):
    column = torch.arange(width, dtype=torch.float64)
    rate = base ** (-(column - column % 2) / width)
    # cos(a) = sin(a + pi / 2) in the odd columns
    return torch.sin(torch.arange(length)[:, None] * rate + column % 2 * torch.pi / 2).float()
