import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    angles = torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d)
    return x + torch.stack((angles.sin(), angles.cos()), -1).flatten(-2)
