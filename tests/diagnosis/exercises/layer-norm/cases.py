import torch


def inputs(generator, *shape, spread=2.0):
    x = spread * torch.randn(shape, generator=generator)
    weight = 1 + 0.3 * torch.randn(shape[-1], generator=generator)
    bias = torch.randn(shape[-1], generator=generator)
    return [x, weight, bias]


def visible():
    generator = torch.Generator().manual_seed(5)
    return [
        {"name": "three rows", "args": inputs(generator, 3, 5)},
        {"name": "a batch", "args": inputs(generator, 2, 4, 6)},
        {"name": "square", "args": inputs(generator, 4, 4)},
    ]


def hidden(generator):
    return [
        {"name": "rows", "args": inputs(generator, 5, 8)},
        {"name": "a batch of heads", "args": inputs(generator, 2, 3, 4, 7)},
        {"name": "small numbers", "args": inputs(generator, 3, 6, spread=0.01), "points": 2},
        {"name": "a large eps", "args": inputs(generator, 4, 9), "kwargs": {"eps": 0.5}},
    ]
