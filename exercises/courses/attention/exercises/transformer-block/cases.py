import torch


def visible():
    generator = torch.Generator().manual_seed(9)
    return [
        _case("three tokens, two heads", generator, n=3, width=4, heads=2),
        _case("a batch of two", generator, 2, n=4, width=6, heads=3),
    ]


def hidden(generator):
    return [
        _case("one token", generator, n=1, width=4, heads=1),
        _case("two batch dimensions", generator, 2, 2, n=3, width=4, heads=2),
        _case("a longer sequence", generator, n=16, width=8, heads=4),
        _case("large vectors", generator, 2, n=5, width=8, heads=2, size=20.0),
    ]


def _case(name, generator, *batch, n, width, heads, size=1.0):
    state = {}
    for norm in ("norm1", "norm2"):
        state[f"{norm}.weight"] = 0.5 + torch.rand(width, generator=generator)
        state[f"{norm}.bias"] = torch.randn(width, generator=generator) / 2
    shapes = {"qkv": (3 * width, width), "out": (width, width), "up": (4 * width, width), "down": (width, 4 * width)}
    for layer, (rows, columns) in shapes.items():
        state[f"{layer}.weight"] = 1.5 * torch.randn(rows, columns, generator=generator) / columns**0.5
        state[f"{layer}.bias"] = torch.randn(rows, generator=generator) / 2
    x = size * torch.randn(*batch, n, width, generator=generator)
    return {"name": name, "init": {"args": [width, heads]}, "state": state, "args": [x]}
