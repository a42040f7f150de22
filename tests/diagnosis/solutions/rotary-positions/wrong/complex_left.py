import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    angles = torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d)
    turn = torch.complex(angles.cos(), angles.sin())
    z = torch.complex(x[..., ::2], x[..., 1::2]) * turn
    return torch.stack((z.real + 0j, z.imag + 0j), -1).flatten(-2)
