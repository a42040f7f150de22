"""By the logarithm of the sum of exponentials, shifted."""

import torch


def row_softmax(x):
    highest = x.max(dim=1, keepdim=True).values
    total = (x - highest).exp().sum(dim=1, keepdim=True).log() + highest
    return (x - total).exp()
