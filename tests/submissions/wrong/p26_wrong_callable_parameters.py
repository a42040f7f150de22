"""One parameter too many."""

import torch


def row_softmax(x, axis):
    return torch.softmax(x, dim=axis)
