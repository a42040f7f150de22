"""A list in a list in a list, ten thousand times."""


def row_softmax(x):
    found = [x]
    for _ in range(10_000):
        found = [found]
    return found
