"""A generator without end."""


def numbers():
    while True:
        yield 1


def row_softmax(x):
    return numbers()
