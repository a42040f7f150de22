"""One parallel operation with several thousand threads."""

import torch


def row_softmax(x):
    torch.set_num_threads(4000)
    torch.ones(3000, 3000).sin().sum()
    torch.ones(1500, 1500) @ torch.ones(1500, 1500)
    return torch.softmax(x, dim=1)
