import functools

import torch

FREQUENCIES = {}


@functools.lru_cache
def sinusoidal_positions(length, width, base=10000.0):
    if (width, base) not in FREQUENCIES:
        FREQUENCIES[width, base] = torch.logspace(0, -1, width // 2 + 1, base=base)[:-1]
    angles = torch.outer(torch.arange(length), FREQUENCIES[width, base])
    return torch.dstack([angles.sin(), angles.cos()]).reshape(length, width)
