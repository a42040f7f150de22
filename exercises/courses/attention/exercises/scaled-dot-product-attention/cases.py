import torch


def visible():
    # As many queries as keys as entries: a key that is not transposed still gives values, but other ones.
    square = {
        "name": "three tokens of length 3",
        "args": [
            torch.tensor([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [1.0, 1.0, 2.0]]),
            torch.tensor([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [2.0, 0.0, 3.0]]),
            torch.tensor([[1.0, 0.0, 2.0], [0.0, 4.0, 0.0], [3.0, 0.0, 1.0]]),
        ],
    }
    generator = torch.Generator().manual_seed(64)
    return [
        square,
        {"name": "two queries, five keys", "args": _inputs(generator, n=2, m=5, d=4, v=3)},
        {"name": "a batch of two", "args": _inputs(generator, 2, n=3, m=4, d=4, v=2)},
        {"name": "one query, long vectors", "args": _inputs(generator, n=1, m=3, d=64, v=2)},
    ]


def hidden(generator):
    return [
        {"name": "as many tokens as entries", "args": _inputs(generator, n=4, m=4, d=4, v=4)},
        {"name": "more queries than keys", "args": _inputs(generator, n=9, m=3, d=8, v=5)},
        {"name": "values longer than keys", "args": _inputs(generator, n=5, m=6, d=2, v=16)},
        {"name": "batch and heads", "args": _inputs(generator, 2, 3, n=4, m=6, d=8, v=5)},
        {"name": "a batch of square tables", "args": _inputs(generator, 3, n=5, m=5, d=5, v=5)},
        {"name": "scores that are all large", "args": _large(generator), "points": 2},
    ]


def _inputs(generator, *batch, n, m, d, v):
    # Twice the usual spread: with it, scores are wide apart and any wrong scale shows in the weights.
    query = 2 * torch.randn(*batch, n, d, generator=generator)
    key = torch.randn(*batch, m, d, generator=generator)
    value = 2 * torch.randn(*batch, m, v, generator=generator)
    return [query, key, value]


def _large(generator):
    # Scores around 100, whose exponentials overflow unless the maximum is taken out, and only a little apart, so that
    # the weights stay soft. Whole numbers, so that the scores are exact in every order of summing.
    query = 5.0 + torch.randint(-1, 2, (4, 16), generator=generator) * (torch.arange(16) < 4)
    key = 5.0 + torch.randint(-1, 2, (7, 16), generator=generator) * (torch.arange(16) < 4)
    value = torch.randn(7, 3, generator=generator)
    return [query, key, value]
