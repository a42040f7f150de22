import torch


def softmax(scores):
    e = torch.exp(scores - scores.max())
    return e / e.sum(dim=-1)
