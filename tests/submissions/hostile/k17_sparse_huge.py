"""A sparse tensor of ten to the 18 elements."""

import torch


def row_softmax(x):
    return torch.sparse_coo_tensor(torch.tensor([[0], [0]]), torch.tensor([1.0]), (10**9, 10**9))
