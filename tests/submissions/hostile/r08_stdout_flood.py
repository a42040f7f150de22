"""Prints without end."""


def row_softmax(x):
    while True:
        print("all work and no play " * 500)
