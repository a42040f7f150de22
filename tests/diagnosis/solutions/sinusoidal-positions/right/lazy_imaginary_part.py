import torch


def sinusoidal_positions(length, width, base=10000.0):
    column = torch.arange(width)
    rate = base ** (-(column - column % 2) / width)
    phase = torch.arange(length)[:, None] * rate + (column % 2) * (torch.pi / 2)
    return torch.exp(-1j * phase).conj().imag
