"""Fills tensors and keeps them until it dies."""

import torch

kept = []


def row_softmax(x):
    while True:
        kept.append(torch.ones(1_000_000))
