"""A result that is attached to the graph of gradients."""

import torch

scale = torch.nn.Parameter(torch.ones(1))


def row_softmax(x):
    return torch.softmax(x * scale, dim=1)
