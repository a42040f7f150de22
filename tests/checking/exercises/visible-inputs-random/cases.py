import torch


def visible():
    return [{"name": "two rows", "args": [torch.randn(2, 3)]}]


def hidden(generator):
    return [
        {"name": "square", "args": [torch.randn(3, 3, generator=generator)]},
        {"name": "wide", "args": [torch.randn(2, 5, generator=generator)]},
    ]
