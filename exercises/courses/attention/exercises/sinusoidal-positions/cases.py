import torch


def visible():
    return [
        {"name": "four positions, two pairs", "args": [4, 4]},
        {"name": "one pair", "args": [5, 2]},
        {"name": "more columns than rows", "args": [2, 8]},
    ]


def hidden(generator):
    n, pairs = (int(torch.randint(6, 30, (), generator=generator)) for _ in range(2))
    return [
        {"name": "a single position", "args": [1, 6]},
        {"name": "some positions", "args": [n, 2 * pairs], "points": 2},
        {"name": "a longer sequence", "args": [48 + n // 3, 16]},
    ]
