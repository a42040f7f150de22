import torch


def inputs(generator, batch, channels, length, outputs, width):
    return [
        torch.randn(batch, channels, length, generator=generator),
        torch.randn(outputs, channels, width, generator=generator),
        torch.randn(outputs, generator=generator),
    ]


def visible():
    generator = torch.Generator().manual_seed(10)
    return [
        {"name": "two signals", "args": inputs(generator, 2, 3, 9, 4, 3)},
        {"name": "padding", "args": inputs(generator, 2, 3, 7, 5, 4), "kwargs": {"padding": 1}},
        {"name": "as many outputs as places", "args": inputs(generator, 3, 2, 6, 4, 3)},
    ]


def hidden(generator):
    return [
        {"name": "signals", "args": inputs(generator, 3, 4, 10, 2, 5)},
        {"name": "stride", "args": inputs(generator, 2, 3, 11, 4, 3), "kwargs": {"stride": 2}, "points": 2},
        {"name": "all of it", "args": inputs(generator, 2, 5, 8, 3, 4), "kwargs": {"stride": 3, "padding": 2}},
    ]
