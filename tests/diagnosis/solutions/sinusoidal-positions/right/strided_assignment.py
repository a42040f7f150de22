import math

import torch


def sinusoidal_positions(length, width, base=10000.0):
    table = torch.zeros(length, width)
    position = torch.arange(length, dtype=torch.float32).unsqueeze(1)
    div = torch.exp(torch.arange(0, width, 2).float() * (-math.log(base) / width))
    table[:, 0::2] = torch.sin(position * div)
    table[:, 1::2] = torch.cos(position * div)
    return table
