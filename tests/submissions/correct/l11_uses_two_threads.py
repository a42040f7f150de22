"""Two threads and a parallel operation."""

import torch

torch.set_num_threads(2)


def row_softmax(x):
    large = torch.ones(1000, 1000)
    large = (large @ large).exp_().sum()
    return torch.softmax(x, dim=1)
