import torch


def visible():
    return [
        {"name": "equal entries", "args": [torch.full((2, 4), 3.0)]},
        {"name": "two rows", "args": [torch.tensor([[0.0, 1.0, 2.0], [2.0, 0.0, -1.0]])]},
    ]


def hidden(generator):
    return [
        {"name": "a table", "args": [torch.randn(5, 7, generator=generator)]},
        {"name": "entries up to 10,000", "args": [1e4 * (2 * torch.rand(4, 6, generator=generator) - 1)], "points": 2},
        {"name": "one column", "args": [torch.randn(3, 1, generator=generator)]},
    ]
