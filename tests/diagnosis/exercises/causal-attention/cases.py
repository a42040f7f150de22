import torch


def inputs(generator, batch, n, d, e):
    return [torch.randn(*batch, n, width, generator=generator) for width in (d, d, e)]


def visible():
    generator = torch.Generator().manual_seed(3)
    return [
        {"name": "five tokens", "args": inputs(generator, (), 5, 8, 3)},
        {"name": "two tokens", "args": inputs(generator, (), 2, 4, 6)},
        {"name": "seven tokens", "args": inputs(generator, (), 7, 16, 5)},
    ]


def hidden(generator):
    return [
        {"name": "six tokens", "args": inputs(generator, (), 6, 9, 4)},
        {"name": "a batch", "args": inputs(generator, (3,), 5, 7, 4), "points": 2},
        {"name": "a batch of heads", "args": inputs(generator, (2, 3), 4, 10, 6)},
    ]
