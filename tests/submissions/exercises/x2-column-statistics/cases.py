import torch


def visible():
    return [{"name": "three rows", "args": [torch.tensor([[1.0, 0.0], [2.0, 4.0], [3.0, 8.0]])]}]


def hidden(generator):
    return [
        {"name": "a table", "args": [torch.randn(20, 3, generator=generator)]},
        # Multiples of 1/8 around 4096: sums and squared differences are exact, the square of an entry is not.
        {
            "name": "a large mean",
            "args": [4096.0 + torch.randint(-8, 9, (16, 4), generator=generator) / 8],
            "points": 2,
        },
    ]
