"""Counts in eight bits, where 64 are expected."""

import torch


def count(values, k):
    return torch.bincount(values, minlength=k).to(torch.int8)
