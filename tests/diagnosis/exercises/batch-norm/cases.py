import torch


def inputs(generator, *shape, spread=2.0):
    centres = torch.randn(shape[1], *[1] * (len(shape) - 2), generator=generator)
    x = spread * (torch.randn(shape, generator=generator) + centres)
    return [x, torch.randn(shape[1], generator=generator), 0.5 + torch.rand(shape[1], generator=generator)]


def visible():
    generator = torch.Generator().manual_seed(6)
    return [
        {"name": "five samples", "args": inputs(generator, 5, 3)},
        {"name": "as many samples as channels", "args": inputs(generator, 4, 4)},
        {"name": "another momentum", "args": inputs(generator, 7, 2), "kwargs": {"momentum": 0.3}},
    ]


def hidden(generator):
    return [
        {"name": "samples", "args": inputs(generator, 6, 5)},
        {"name": "small numbers", "args": inputs(generator, 8, 3, spread=0.01)},
        {"name": "signals", "args": inputs(generator, 3, 4, 5), "kwargs": {"momentum": 0.2}},
        {"name": "images", "args": inputs(generator, 2, 3, 4, 5), "points": 2},
    ]
