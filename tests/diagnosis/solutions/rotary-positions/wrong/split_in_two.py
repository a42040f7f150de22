import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    turn = torch.polar(torch.ones(n, d // 2), torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d))
    left, right = x.split(d // 2, dim=-1)
    z = torch.complex(left, right) * turn
    return torch.cat([z.real, z.imag], dim=-1)
