import math

import torch


def sinusoidal_positions(length, width, base=10000.0):
    table = torch.zeros(length, width)
    for i in range(width // 2):
        angle = torch.arange(length) * math.exp(-math.log(base) * i / width)
        table[:, 2 * i] = angle.sin()
        table[:, 2 * i + 1] = angle.cos()
    return table
