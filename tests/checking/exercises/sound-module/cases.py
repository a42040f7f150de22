import torch


def visible():
    x = torch.tensor([[1.0, 2.0, 6.0], [0.0, 4.0, 5.0]])
    return [
        {"name": "as it begins", "init": {"args": [3]}, "args": [x]},
        {"name": "small values", "init": {"args": [3]}, "args": [0.001 * x]},
    ]


def hidden(generator):
    weight = 1 + torch.rand(4, generator=generator)
    x = torch.randn(2, 3, 4, generator=generator)
    wide = {"args": [4], "kwargs": {"eps": 0.1}}
    return [{"name": "a batch", "init": wide, "state": {"weight": weight}, "args": [x]}]
