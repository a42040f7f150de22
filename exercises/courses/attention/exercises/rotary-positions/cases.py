import torch


def visible():
    generator = torch.Generator().manual_seed(5)
    return [
        {"name": "three tokens, one pair", "args": [torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]])]},
        {"name": "two pairs", "args": [torch.randn(4, 4, generator=generator)]},
        {"name": "a batch of two, another base", "args": [torch.randn(2, 3, 6, generator=generator), 100.0]},
    ]


def hidden(generator):
    return [
        {"name": "one token", "args": [torch.randn(1, 4, generator=generator)]},
        {"name": "batch and heads", "args": [torch.randn(2, 3, 5, 8, generator=generator)], "points": 2},
        {"name": "a longer sequence", "args": [torch.randn(40, 6, generator=generator)]},
        {"name": "large vectors, a small base", "args": [50 * torch.randn(5, 8, generator=generator), 7.0]},
    ]
