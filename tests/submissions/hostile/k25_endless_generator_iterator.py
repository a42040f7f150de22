"""An iterator without end."""

import itertools


def row_softmax(x):
    return itertools.repeat(x)
