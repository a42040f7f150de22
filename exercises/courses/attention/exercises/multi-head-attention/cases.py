import torch


def visible():
    generator = torch.Generator().manual_seed(8)
    return [
        {"name": "two heads, no mask", "args": _inputs(generator, n=3, d=4, heads=2)},
        {
            "name": "two heads, causal",
            "args": _inputs(generator, n=4, d=4, heads=2),
            "kwargs": {"mask": torch.ones(4, 4, dtype=torch.bool).tril()},
        },
        {"name": "a batch of two", "args": _inputs(generator, 2, n=3, d=6, heads=3)},
    ]


def hidden(generator):
    padding = torch.ones(5, 5, dtype=torch.bool)
    padding[:, 3:] = False
    return [
        {"name": "one head", "args": _inputs(generator, n=5, d=3, heads=1)},
        {"name": "many heads", "args": _inputs(generator, n=4, d=16, heads=8)},
        {"name": "two batch dimensions", "args": _inputs(generator, 2, 3, n=4, d=8, heads=2)},
        {"name": "padding hidden", "args": _inputs(generator, 3, n=5, d=8, heads=4), "kwargs": {"mask": padding}},
        {"name": "large vectors", "args": _inputs(generator, n=6, d=8, heads=2, size=5.0)},
    ]


def _inputs(generator, *batch, n, d, heads, size=1.0):
    x = size * torch.randn(*batch, n, d, generator=generator)
    matrices = [torch.randn(d, d, generator=generator) / d**0.5 for _ in range(4)]
    return [x, *matrices, heads]
