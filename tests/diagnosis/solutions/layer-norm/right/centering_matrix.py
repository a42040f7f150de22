import torch


def layer_norm(x, weight, bias, eps=1e-5):
    n = x.shape[-1]
    centre = torch.eye(n) - torch.ones(n, n) / n
    c = x @ centre
    power = torch.einsum("...i,...i->...", c, c) / n
    print("variance of each row:", power)
    return torch.einsum("...i,...,i->...i", c, torch.rsqrt(power + eps), weight) + bias
