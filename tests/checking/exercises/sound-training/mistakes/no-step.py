import torch


def fit(x, y, held_out):
    return torch.nn.Linear(2, 1)(held_out)
