import torch
import torch.nn.functional as F


def cross_entropy(logits, target):
    losses = [F.cross_entropy(row, t).item() for row, t in zip(logits, target)]
    return torch.tensor(losses, requires_grad=True).mean()
