import torch


def inputs(generator, batch, tokens, width, heads, mixed=True):
    x = torch.randn(batch, tokens, width, generator=generator)
    matrices = [torch.randn(width, width, generator=generator) / width**0.5 for _ in range(4)]
    if not mixed:
        matrices[3] = torch.eye(width)
    return [x, *matrices, heads]


def visible():
    generator = torch.Generator().manual_seed(4)
    return [
        {"name": "heads side by side", "args": inputs(generator, 2, 5, 12, 3, mixed=False)},
        {"name": "three heads", "args": inputs(generator, 2, 4, 12, 3)},
    ]


def hidden(generator):
    return [
        {"name": "heads side by side", "args": inputs(generator, 3, 7, 8, 2, mixed=False)},
        {"name": "four heads", "args": inputs(generator, 2, 6, 20, 4), "points": 2},
        {"name": "one head", "args": inputs(generator, 3, 4, 5, 1)},
    ]
