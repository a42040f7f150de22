import torch


def inputs(generator, batch, n, m, d, e):
    return [
        torch.randn(*batch, n, d, generator=generator),
        torch.randn(*batch, m, d, generator=generator),
        torch.randn(*batch, m, e, generator=generator),
    ]


def visible():
    generator = torch.Generator().manual_seed(2)
    return [
        {"name": "four queries, six keys", "args": inputs(generator, (), 4, 6, 8, 3)},
        {"name": "wide keys", "args": inputs(generator, (), 3, 5, 64, 7)},
        {"name": "all sizes equal", "args": inputs(generator, (), 4, 4, 4, 4)},
    ]


def hidden(generator):
    return [
        {"name": "one query", "args": inputs(generator, (), 1, 7, 16, 5)},
        {"name": "a batch", "args": inputs(generator, (2,), 3, 6, 10, 4), "points": 2},
        {"name": "a batch of heads", "args": inputs(generator, (2, 3), 5, 7, 9, 6), "points": 2},
    ]
