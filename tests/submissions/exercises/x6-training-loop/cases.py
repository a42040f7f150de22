import torch


def visible():
    x = torch.tensor([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
    return [{"name": "four points, three steps", "args": [x, torch.tensor([1.0, 2.0, 3.0, 5.0]), 3, 0]}]


def hidden(generator):
    x = torch.randn(32, 4, generator=generator)
    y = x @ torch.tensor([1.0, -2.0, 0.5, 0.0]) + 0.1 * torch.randn(32, generator=generator)
    return [{"name": "thirty-two points", "args": [x, y, 25, 7]}, {"name": "no step", "args": [x, y, 0, 8]}]
