import torch


def inputs(generator, *shape, lr):
    return [*torch.randn(3, *shape, generator=generator), lr]


def visible():
    generator = torch.Generator().manual_seed(12)
    parameter, gradient, _, lr = inputs(generator, 5, lr=0.1)
    return [
        {"name": "from rest", "args": [parameter, gradient, torch.zeros(5), lr]},
        {"name": "under way", "args": inputs(generator, 3, 4, lr=0.2)},
        {"name": "less momentum", "args": inputs(generator, 2, 3, 4, lr=0.5), "kwargs": {"momentum": 0.5}},
    ]


def hidden(generator):
    return [
        {"name": "a vector", "args": inputs(generator, 7, lr=0.3)},
        {"name": "weight decay", "args": inputs(generator, 4, 3, lr=0.1), "kwargs": {"weight_decay": 0.4}},
        {"name": "looking ahead", "args": inputs(generator, 6, 2, lr=0.25), "kwargs": {"nesterov": True, "weight_decay": 0.1}},
    ]
