import torch


def visible():
    return [{"name": "two rows", "args": [torch.tensor([[1.0, 0.0, -1.0], [-4.0, 2.0, 2.0]])]}]


def hidden(generator):
    half = torch.randn(3, 2, generator=generator)
    return [{"name": "three rows", "args": [torch.cat([half, -half], dim=-1)]}]
