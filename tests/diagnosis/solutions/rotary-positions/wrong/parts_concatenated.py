import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    turn = torch.exp(1j * torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2) / d))
    z = torch.complex(x[..., ::2], x[..., 1::2]) * turn
    return torch.cat((z.real, z.imag), dim=-1)
