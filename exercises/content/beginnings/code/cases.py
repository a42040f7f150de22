import torch


def visible():
    """Shown to students, with inputs and expected outputs."""
    return [{"name": "two rows", "args": [torch.tensor([[1.0, 2.0, 6.0], [0.0, 4.0, 5.0]])]}]


def hidden(generator):
    """Drawn afresh from a secret seed: everything random must come from `generator`."""
    return [
        {"name": "as many rows as columns", "args": [torch.randn(3, 3, generator=generator)]},
        {"name": "wide rows", "args": [torch.randn(2, 5, generator=generator)]},
    ]
