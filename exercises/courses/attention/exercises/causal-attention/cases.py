import torch


def visible():
    three = {
        "name": "three tokens of length 2",
        "args": [
            torch.tensor([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]),
            torch.tensor([[2.0, 1.0], [1.0, 0.0], [0.0, 3.0]]),
            torch.tensor([[1.0, 0.0], [0.0, 4.0], [3.0, 3.0]]),
        ],
    }
    generator = torch.Generator().manual_seed(4)
    return [
        three,
        {"name": "five tokens", "args": _inputs(generator, n=5, d=4, v=3)},
        {"name": "a batch of two", "args": _inputs(generator, 2, n=4, d=4, v=2)},
    ]


def hidden(generator):
    return [
        {"name": "two tokens", "args": _inputs(generator, n=2, d=3, v=3)},
        {"name": "values longer than keys", "args": _inputs(generator, n=6, d=2, v=16)},
        {"name": "batch and heads", "args": _inputs(generator, 2, 3, n=5, d=8, v=4), "points": 2},
        {"name": "a long sequence", "args": _inputs(generator, n=40, d=16, v=4)},
    ]


def _inputs(generator, *batch, n, d, v):
    query = torch.randn(*batch, n, d, generator=generator)
    key = torch.randn(*batch, n, d, generator=generator)
    value = 2 * torch.randn(*batch, n, v, generator=generator)
    return [query, key, value]
