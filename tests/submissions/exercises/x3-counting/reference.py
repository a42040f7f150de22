import torch


def count(values, k):
    return torch.bincount(values, minlength=k)
