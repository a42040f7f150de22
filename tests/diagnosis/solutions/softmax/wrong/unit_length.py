import torch


def softmax(scores):
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e / e.norm(dim=-1, keepdim=True)
