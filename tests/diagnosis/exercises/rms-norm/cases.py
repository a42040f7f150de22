import torch


def inputs(generator, *shape, spread=1.0):
    x = spread * (torch.randn(shape, generator=generator) + 0.5)
    return [x, 1 + 0.3 * torch.randn(shape[-1], generator=generator)]


def visible():
    generator = torch.Generator().manual_seed(7)
    return [
        {"name": "three rows", "args": inputs(generator, 3, 8)},
        {"name": "square", "args": inputs(generator, 5, 5)},
        {"name": "a batch", "args": inputs(generator, 2, 3, 6, spread=4.0)},
    ]


def hidden(generator):
    return [
        {"name": "rows", "args": inputs(generator, 4, 9, spread=20.0)},
        {"name": "a batch of heads", "args": inputs(generator, 2, 3, 4, 7)},
        {"name": "small numbers", "args": inputs(generator, 3, 5, spread=0.002), "points": 2},
        {"name": "a large eps", "args": inputs(generator, 4, 10), "kwargs": {"eps": 0.25}},
    ]
