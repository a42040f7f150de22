import torch


def visible():
    return [{"name": "six numbers", "args": [torch.tensor([0, 2, 2, 1, 2, 0]), 4]}]


def hidden(generator):
    return [
        {"name": "a few", "args": [torch.randint(0, 5, (30,), generator=generator), 5]},
        {"name": "more than a byte holds", "args": [torch.randint(0, 3, (1500,), generator=generator), 3]},
        {"name": "none", "args": [torch.empty(0, dtype=torch.int64), 3]},
    ]
