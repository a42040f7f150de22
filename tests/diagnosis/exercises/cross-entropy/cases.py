import torch


def inputs(generator, n, classes, spread=1.5):
    logits = spread * torch.randn(n, classes, generator=generator)
    return [logits, torch.randint(classes, (n,), generator=generator)]


def visible():
    generator = torch.Generator().manual_seed(8)
    return [
        {"name": "three rows of five classes", "args": inputs(generator, 3, 5)},
        {"name": "two classes", "args": inputs(generator, 4, 2)},
        {"name": "as many rows as classes", "args": inputs(generator, 6, 6)},
    ]


def hidden(generator):
    return [
        {"name": "rows", "args": inputs(generator, 7, 4)},
        {"name": "many classes", "args": inputs(generator, 5, 30)},
        {"name": "large logits", "args": inputs(generator, 8, 3, spread=300.0), "points": 2},
    ]
