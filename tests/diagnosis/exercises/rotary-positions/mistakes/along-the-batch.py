import torch


def rotate(x, base=10000.0):
    width = x.shape[-1]
    positions = torch.arange(x.shape[0]).view(-1, *[1] * (x.dim() - 1))
    angles = positions * base ** (-torch.arange(0, width, 2) / width)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()
    return torch.stack(turned, dim=-1).flatten(start_dim=-2)
