import math

import torch


def sinusoidal_positions(length, width, base=10000.0):
    rows = []
    for p in range(length):
        row = []
        for i in range(width // 2):
            angle = p / base ** (2 * i / width)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)
