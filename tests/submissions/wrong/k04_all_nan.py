"""Not a number, everywhere."""

import torch


def row_softmax(x):
    return torch.full_like(x, float("nan"))
