import math

import torch


def sinusoidal_positions(length, width, base=10000.0):
    rows = [
        [f(p / base ** (2 * i / width)) for i in range(width // 2) for f in (math.sin, math.cos)]
        for p in range(1, length + 1)
    ]
    return torch.tensor(rows)
