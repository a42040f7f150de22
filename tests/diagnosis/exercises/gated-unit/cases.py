import torch


def case(generator, name, batch, width, hidden, **more):
    state = {
        "gate.weight": torch.randn(hidden, width, generator=generator) / width**0.5,
        "up.weight": torch.randn(hidden, width, generator=generator) / width**0.5,
        "down.weight": torch.randn(width, hidden, generator=generator) / hidden**0.5,
        "down.bias": torch.randn(width, generator=generator),
    }
    x = torch.randn(*batch, width, generator=generator)
    return {"name": name, "init": {"args": [width, hidden]}, "state": state, "args": [x], **more}


def visible():
    generator = torch.Generator().manual_seed(13)
    return [
        case(generator, "three vectors", (3,), 4, 7),
        case(generator, "a batch", (2, 5), 6, 10),
        case(generator, "as wide inside as outside", (4,), 5, 5),
    ]


def hidden(generator):
    return [
        case(generator, "vectors", (5,), 6, 9),
        case(generator, "one vector", (), 3, 8),
        case(generator, "a batch of sequences", (2, 3, 4), 5, 12, points=2),
    ]
