"""An asynchronous function."""

import torch


async def row_softmax(x):
    return torch.softmax(x, dim=1)
