"""Double precision, which the exercise allows."""

import torch


def row_softmax(x):
    return torch.softmax(x.double(), dim=1)
