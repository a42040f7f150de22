import torch


def softmax(scores):
    # rows first
    x = scores.movedim(0, -1)
    x = torch.exp(x - x.amax(-1, keepdim=True))
    x = x / x.sum(-1, keepdim=True)
    return x.movedim(-1, 0)
