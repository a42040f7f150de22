import torch


def visible():
    return [_case("three rows", torch.Generator().manual_seed(8), n=3, features=2, classes=3)]


def hidden(generator):
    return [
        _case("ten rows", generator, n=10, features=4, classes=2),
        _case("one row", generator, n=1, features=3, classes=5),
    ]


def _case(name, generator, *, n, features, classes):
    state = {
        "hidden.weight": torch.randn(8, features, generator=generator),
        "hidden.bias": torch.randn(8, generator=generator),
        "out.weight": torch.randn(classes, 8, generator=generator),
        "out.bias": torch.randn(classes, generator=generator),
    }
    return {
        "name": name,
        "args": [torch.randn(n, features, generator=generator)],
        "init": {"args": [features, classes]},
        "state": state,
    }
