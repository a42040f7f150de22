import torch


def sinusoidal_positions(length, width, base=10000.0):
    half = width // 2
    table = torch.zeros(length, width)
    rate = torch.tensor([base ** (-2 * i / width) for i in range(half)])
    table[:, :half] = torch.sin(torch.outer(torch.arange(length), rate))
    table[:, half:] = torch.cos(torch.outer(torch.arange(length), rate))
    return table
