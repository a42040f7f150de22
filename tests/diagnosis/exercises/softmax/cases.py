import torch


def visible():
    generator = torch.Generator().manual_seed(1)
    return [
        {"name": "three rows", "args": [torch.randn(3, 5, generator=generator)]},
        {"name": "as many rows as columns", "args": [2 * torch.randn(4, 4, generator=generator)]},
        {"name": "a batch", "args": [torch.randn(2, 3, 6, generator=generator)]},
    ]


def hidden(generator):
    return [
        {"name": "rows", "args": [1.5 * torch.randn(4, 7, generator=generator)]},
        {"name": "a batch of heads", "args": [torch.randn(2, 3, 4, 5, generator=generator)]},
        {"name": "one vector", "args": [torch.randn(9, generator=generator)]},
        {"name": "large scores", "args": [1000 * torch.randn(3, 8, generator=generator)], "points": 2},
    ]
