import torch


def softmax(scores):
    return torch.softmax(scores.flatten(), dim=0).view_as(scores)
