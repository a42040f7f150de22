import torch


class Rope:
    def __init__(self, n, d, base):
        a = torch.arange(n)[:, None] / torch.pow(base, torch.arange(0, d, 2) / d)
        self.r = torch.stack([torch.stack([a.cos(), -a.sin()]), torch.stack([a.sin(), a.cos()])])

    def __call__(self, x):
        pairs = x.unflatten(-1, (-1, 2))
        return torch.einsum("ijpk,...pkj->...kip", self.r, pairs).flatten(-3, -2).transpose(-1, -2)


def rotate(x, base=10000.0):
    return Rope(*x.shape[-2:], base)(x)
