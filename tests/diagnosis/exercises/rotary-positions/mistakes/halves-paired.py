import torch


def rotate(x, base=10000.0):
    tokens, width = x.shape[-2:]
    angles = torch.arange(tokens).unsqueeze(1) * base ** (-torch.arange(0, width, 2) / width)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], dim=-1)
