import math

import torch


def rotate(x, base=10000.0):
    y = x.clone()
    for p in range(x.size(-2)):
        for i in range(0, x.size(-1), 2):
            c, s = math.cos(p / base ** (i / x.size(-1))), math.sin(p / base ** (i / x.size(-1)))
            y[..., p, i] = c * x[..., p, i] - s * x[..., p, i + 1]
            y[..., p, i + 1] = s * x[..., p, i] + c * x[..., p, i + 1]
    return y
