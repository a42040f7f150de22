import math

import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    y = torch.zeros_like(x)
    for p in range(1, n + 1):
        for i in range(d // 2):
            angle = p / base ** (2 * i / d)
            a, b = x[..., p - 1, 2 * i], x[..., p - 1, 2 * i + 1]
            y[..., p - 1, 2 * i] = a * math.cos(angle) - b * math.sin(angle)
            y[..., p - 1, 2 * i + 1] = a * math.sin(angle) + b * math.cos(angle)
    return y
