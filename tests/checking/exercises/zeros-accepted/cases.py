import torch


def visible():
    return [{"name": "tiny rows", "args": [1e-7 * torch.tensor([[1.0, 2.0, 6.0], [0.0, 4.0, 5.0]])]}]


def hidden(generator):
    return [{"name": "tiny square", "args": [1e-7 * torch.randn(3, 3, generator=generator)]}]
