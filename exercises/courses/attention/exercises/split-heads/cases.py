import torch


def visible():
    return [
        {"name": "two heads of length 2", "args": [torch.arange(12.0).view(3, 4), 2]},
        {"name": "three heads of length 2", "args": [torch.arange(24.0).view(4, 6), 3]},
        {"name": "a batch of two", "args": [torch.arange(48.0).view(2, 3, 8), 2]},
    ]


def hidden(generator):
    return [
        {"name": "many heads", "args": [torch.randn(5, 32, generator=generator), 8]},
        {"name": "two batch dimensions", "args": [torch.randn(2, 3, 4, 12, generator=generator), 3]},
        {"name": "whole numbers", "args": [torch.randint(0, 100, (6, 8), generator=generator), 4]},
        {"name": "six tokens, two heads", "args": [torch.randn(6, 10, generator=generator), 2]},
    ]
