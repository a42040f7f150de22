"""Prints its inputs, and answers right."""

import sys

import torch


def row_softmax(x):
    print("input", x.tolist())
    print("input", x.tolist(), file=sys.stderr)
    return torch.softmax(x, dim=1)
