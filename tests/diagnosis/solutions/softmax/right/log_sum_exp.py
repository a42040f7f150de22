import torch


def softmax(scores):
    return torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))
