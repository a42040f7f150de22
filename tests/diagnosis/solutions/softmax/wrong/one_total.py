import torch


def softmax(scores):
    e = torch.exp(scores - torch.max(scores))
    total = 0.0
    for value in e.reshape(-1):
        total = total + value
    return e / total
