"""Answers right, then changes its input in place."""

import torch


def row_softmax(x):
    answer = torch.softmax(x, dim=1)
    x.zero_()
    x.resize_(0)
    return answer
