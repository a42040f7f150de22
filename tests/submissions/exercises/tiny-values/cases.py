import torch


def visible():
    return [{"name": "two numbers", "args": [torch.tensor([0.1, 0.2])]}]


def hidden(generator):
    return [{"name": "many", "args": [0.1 + 0.1 * torch.rand(20, generator=generator)]}]
