import torch


def visible():
    scores = torch.tensor([[1.0, 2.0, 3.0], [0.5, 0.0, 1.0]])
    return [{"name": "two rows", "args": [scores, torch.ones(2, 3, dtype=torch.bool)]}]


def hidden(generator):
    scores = torch.randn(3, 4, generator=generator)
    return [{"name": "three rows", "args": [scores, torch.ones(3, 4, dtype=torch.bool)]}]
