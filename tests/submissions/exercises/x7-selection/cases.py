import torch


def visible():
    x = torch.tensor([[1.0, 5.0], [-1.0, 6.0], [2.0, 7.0]])
    return [{"name": "two of three", "args": [x, 0.5]}, {"name": "none", "args": [x, 9.0]}]


def hidden(generator):
    x = torch.randn(12, 3, generator=generator)
    return [{"name": "some", "args": [x, 0.0]}, {"name": "none of many", "args": [x, 100.0]}]
