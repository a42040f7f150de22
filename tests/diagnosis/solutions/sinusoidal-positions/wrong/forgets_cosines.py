import torch


def sinusoidal_positions(length, width, base=10000.0):
    table = torch.empty(length, width)
    rate = base ** (-torch.arange(0, width, 2) / width)
    table[:, ::2] = (torch.arange(length)[:, None] * rate).sin()
    return table
