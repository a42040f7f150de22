"""Collects garbage in a loop, and recurses two thousand deep."""

import gc
import sys

import torch

sys.setrecursionlimit(10_000)


def deep(n):
    return deep(n - 1) + 1 if n else 0


def row_softmax(x):
    for _ in range(5):
        gc.collect()
    assert deep(2000) == 2000
    return torch.softmax(x, dim=1)
