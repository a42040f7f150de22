import math

import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    result = torch.zeros_like(x)
    for p in range(n):
        evens, odds = [], []
        for i in range(0, d, 2):
            c, s = math.cos(p * base ** (-i / d)), math.sin(p * base ** (-i / d))
            evens.append(x[..., p, i] * c - x[..., p, i + 1] * s)
            odds.append(x[..., p, i] * s + x[..., p, i + 1] * c)
        result[..., p, :] = torch.stack(evens + odds, -1)
    return result
