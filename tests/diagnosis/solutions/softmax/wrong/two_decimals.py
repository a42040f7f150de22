import torch


def softmax(scores):
    result = torch.softmax(scores, -1)
    return torch.round(result * 100) / 100
