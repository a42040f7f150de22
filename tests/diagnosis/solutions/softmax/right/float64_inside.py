import torch


def softmax(scores):
    x = scores.to(torch.float64)
    x = x - x.max(dim=-1, keepdim=True).values.detach()
    e = x.exp()
    return (e / e.sum(-1, keepdim=True)).to(scores.dtype)
