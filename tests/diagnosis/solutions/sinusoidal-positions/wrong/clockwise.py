import torch


def sinusoidal_positions(length, width, base=10000.0):
    rate = base ** (-torch.arange(0, width, 2) / width)
    z = torch.exp(-1j * torch.arange(length)[:, None] * rate)
    return torch.stack([z.imag, z.real], dim=-1).flatten(1)
