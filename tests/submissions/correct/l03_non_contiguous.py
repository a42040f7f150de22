"""Views that are transposed, permuted or strided."""

import torch


def row_softmax(x):
    weights = torch.softmax(x.T.contiguous(), dim=0)
    doubled = torch.repeat_interleave(weights.T, 2, dim=1)
    return doubled[:, ::2] if len(x) % 2 else weights.permute(1, 0)
