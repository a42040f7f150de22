import torch


def visible():
    return [{"name": "five numbers", "args": [torch.tensor([-1.0, 0.0, 0.5, 1.0, 2.0]), 0.5]}]


def hidden(generator):
    return [
        {"name": "many", "args": [torch.randn(50, generator=generator), 0.25]},
        {"name": "many equal", "args": [torch.randint(0, 3, (20,), generator=generator).float(), 1.0]},
    ]
