import torch


def visible():
    generator = torch.Generator().manual_seed(9)
    return [
        {"name": "five tokens", "args": [torch.randn(5, 8, generator=generator)]},
        {"name": "a square", "args": [torch.randn(6, 6, generator=generator)]},
        {"name": "three tokens", "args": [torch.randn(3, 4, generator=generator)]},
    ]


def hidden(generator):
    return [
        {"name": "seven tokens", "args": [torch.randn(7, 12, generator=generator)]},
        {"name": "a batch", "args": [torch.randn(3, 5, 8, generator=generator)], "points": 2},
        {"name": "heads, another base", "args": [torch.randn(2, 3, 4, 10, generator=generator)], "kwargs": {"base": 50.0}},
    ]
