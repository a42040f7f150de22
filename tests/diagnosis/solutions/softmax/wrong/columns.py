import torch


def softmax(scores):
    m = torch.max(scores, 0, keepdim=True).values
    e = torch.exp(scores - m)
    return e / e.sum(0, keepdim=True)
