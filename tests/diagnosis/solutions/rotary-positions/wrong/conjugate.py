import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    turn = torch.exp(-1j * torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d))
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2)) * turn
    return torch.view_as_real(z).flatten(-2)
