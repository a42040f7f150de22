import torch


def rotate(x, base=10000.0):
    tokens, width = x.shape[-2:]
    angles = torch.arange(tokens).unsqueeze(1) * base ** (-torch.arange(0, width, 2) / width)
    a, b = x[..., 0::2], x[..., 1::2]
    turned = a * angles.cos() + b * angles.sin(), b * angles.cos() - a * angles.sin()
    return torch.stack(turned, dim=-1).flatten(start_dim=-2)
