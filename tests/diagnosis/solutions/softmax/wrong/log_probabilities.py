import torch


def softmax(scores):
    m = scores.amax(-1, keepdim=True)
    return (scores - m) - torch.log(torch.exp(scores - m).sum(-1, keepdim=True))
