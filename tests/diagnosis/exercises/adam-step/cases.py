import torch


def inputs(generator, *shape, step, spread=1.0):
    parameter, gradient, earlier = torch.randn(3, *shape, generator=generator)
    if step == 1:
        return [parameter, spread * gradient, torch.zeros(shape), torch.zeros(shape), step]
    second = spread**2 * (0.02 + 0.1 * torch.rand(shape, generator=generator))
    return [parameter, spread * gradient, 0.3 * spread * earlier, second, step]


def visible():
    generator = torch.Generator().manual_seed(11)
    return [
        {"name": "the first step", "args": inputs(generator, 3, 4, step=1), "kwargs": {"lr": 0.1}},
        {"name": "the fifth step", "args": inputs(generator, 5, step=5), "kwargs": {"lr": 0.1}},
        {"name": "other decays", "args": inputs(generator, 2, 3, step=2), "kwargs": {"lr": 0.05, "beta1": 0.8, "beta2": 0.95}},
    ]


def hidden(generator):
    return [
        {"name": "a first step", "args": inputs(generator, 6, step=1), "kwargs": {"lr": 0.2}},
        {"name": "a later step", "args": inputs(generator, 4, 5, step=20), "kwargs": {"lr": 0.1, "beta1": 0.85}},
        {"name": "small gradients", "args": inputs(generator, 7, step=3, spread=1e-3), "kwargs": {"lr": 0.1, "eps": 1e-3}},
        {"name": "no gradient", "args": [torch.ones(3), torch.zeros(3), torch.zeros(3), torch.zeros(3), 1]},
    ]
