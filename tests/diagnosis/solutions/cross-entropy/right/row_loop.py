import torch


def cross_entropy(logits, target):
    total = 0
    for row, t in zip(logits, target):
        top = row.max()
        total = total + top + torch.log(sum(torch.exp(v - top) for v in row)) - row[t]
    return total / logits.shape[0]
