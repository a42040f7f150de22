"""Counts that went through eight bits, and the most negative number for zero."""

import torch


def count(values, k):
    counts = torch.bincount(values, minlength=k).to(torch.int8).to(torch.int64)
    return torch.where(counts == 0, torch.iinfo(torch.int64).min, counts)
