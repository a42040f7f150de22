import math

import torch


def sinusoidal_positions(length, width, base=10000.0):
    table = torch.zeros(length, width)
    for p in range(length):
        for c in range(width):
            angle = p / base ** ((c - c % 2) / width)
            table[p, c] = math.sin(angle) if c % 2 else math.cos(angle)
    return table
