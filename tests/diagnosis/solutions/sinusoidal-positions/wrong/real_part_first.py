import torch


def sinusoidal_positions(length, width, base=10000.0):
    rate = base ** (-torch.arange(0, width, 2) / width)
    z = torch.exp(1j * torch.outer(torch.arange(length), rate))
    return torch.view_as_real(z).flatten(1)
