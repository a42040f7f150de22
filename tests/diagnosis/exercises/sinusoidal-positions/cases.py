import torch


def visible():
    return [
        {"name": "five positions", "args": [5, 8]},
        {"name": "a square table", "args": [6, 6]},
        {"name": "one pair of columns", "args": [7, 2]},
    ]


def hidden(generator):
    length = int(torch.randint(9, 20, (), generator=generator))
    width = 2 * int(torch.randint(10, 16, (), generator=generator))
    return [
        {"name": "a larger table", "args": [length, width], "points": 2},
        {"name": "another base", "args": [length, 10], "kwargs": {"base": 100.0}},
        {"name": "three positions", "args": [3, width]},
    ]
