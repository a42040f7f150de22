import torch


def visible():
    x = torch.tensor([[1.0, 2.0, 2.0, 4.0], [0.0, 3.0, 0.0, 4.0], [-1.0, 1.0, -1.0, 1.5]])
    return [
        {"name": "a new module", "init": {"args": [4]}, "args": [x]},
        {
            "name": "a trained weight",
            "init": {"args": [4]},
            "state": {"weight": torch.tensor([1.0, 0.5, 2.0, -1.0])},
            "args": [x],
        },
        {"name": "small entries", "init": {"args": [4]}, "args": [0.001 * x]},
    ]


def hidden(generator):
    return [
        _case("a batch", generator, 2, 3, width=5),
        _case("a single vector", generator, width=6),
        _case("large entries", generator, 4, width=8, size=1000.0),
        _case("another eps", generator, 3, width=6, eps=0.1),
        _case("two batch dimensions, wide", generator, 2, 2, 2, width=32),
    ]


def _case(name, generator, *batch, width, size=1.0, **options):
    x = size * (1 + torch.randn(*batch, width, generator=generator))
    state = {"weight": 0.5 + torch.rand(width, generator=generator)}
    return {"name": name, "init": {"args": [width], "kwargs": options}, "state": state, "args": [x]}
