import torch


def visible():
    rows = torch.tensor([[1.0, 3.0, 5.0, 7.0], [2.0, 2.0, 0.0, -4.0], [0.5, 0.0, 0.0, 1.5]])
    generator = torch.Generator().manual_seed(6)
    return [
        {
            "name": "three tokens",
            "args": [rows, torch.tensor([1.0, 2.0, 1.0, 0.5]), torch.tensor([0.0, 1.0, -1.0, 0.0])],
        },
        {"name": "small entries", "args": _inputs(generator, 3, d=4, size=0.004)},
        {"name": "a batch of two", "args": _inputs(generator, 2, 3, d=5)},
    ]


def hidden(generator):
    constant = _inputs(generator, 3, d=6)
    constant[0][1] = 0.25
    return [
        {"name": "a single vector", "args": _inputs(generator, d=7)},
        {"name": "a constant row", "args": constant},
        {"name": "large entries", "args": _inputs(generator, 4, d=8, size=1000.0)},
        {"name": "another eps", "args": _inputs(generator, 2, 3, d=6), "kwargs": {"eps": 0.1}},
        {"name": "two numbers each", "args": _inputs(generator, 5, d=2)},
    ]


def _inputs(generator, *batch, d, size=1.0):
    x = size * (torch.randn(*batch, d, generator=generator) + torch.linspace(-1, 1, d))
    return [x, 0.5 + torch.rand(d, generator=generator), torch.randn(d, generator=generator)]
