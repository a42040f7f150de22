import torch


def visible():
    generator = torch.Generator().manual_seed(11)
    return [
        _case("three tokens of width 4", generator, 3, width=4),
        _case("a batch of two", generator, 2, 3, width=5),
    ]


def hidden(generator):
    return [
        _case("one vector", generator, width=6),
        _case("large vectors", generator, 4, width=8, size=30.0),
        _case("batch and heads", generator, 2, 2, 3, width=4),
    ]


def _case(name, generator, *batch, width, size=1.0):
    state = {
        "norm.weight": 0.5 + torch.rand(width, generator=generator),
        "norm.bias": torch.randn(width, generator=generator),
        "sublayer.weight": torch.randn(width, width, generator=generator) / width**0.5,
        "sublayer.bias": torch.randn(width, generator=generator),
    }
    return {"name": name, "state": state, "args": [size * torch.randn(*batch, width, generator=generator)]}
