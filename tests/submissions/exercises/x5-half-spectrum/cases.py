import torch


def visible():
    return [{"name": "four samples", "args": [torch.tensor([1.0, 2.0, 0.0, -1.0])]}]


def hidden(generator):
    return [
        {"name": "eight samples", "args": [torch.randn(8, generator=generator)]},
        {"name": "thirty samples", "args": [torch.randn(30, generator=generator)]},
    ]
