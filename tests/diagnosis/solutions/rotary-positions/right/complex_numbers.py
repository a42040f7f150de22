import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    rate = 1.0 / base ** (torch.arange(0, d, 2).float() / d)
    turn = torch.polar(torch.ones(n, d // 2), torch.outer(torch.arange(n).float(), rate))
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2))
    return torch.view_as_real(z * turn).flatten(-2)
