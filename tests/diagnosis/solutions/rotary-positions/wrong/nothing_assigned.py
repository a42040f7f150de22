import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    angles = torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d)
    for p in range(n):
        row = x[..., p, :].clone()
        row[..., ::2] = row[..., ::2] * angles[p].cos() - row[..., 1::2] * angles[p].sin()
    return x
