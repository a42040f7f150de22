"""Nests a structure a million deep and has C code walk it."""

import itertools


def row_softmax(x):
    chain = iter([])
    for _ in range(1_000_000):
        chain = itertools.chain(chain)
    return next(chain, x)
