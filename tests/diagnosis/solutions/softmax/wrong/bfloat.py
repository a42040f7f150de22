import torch


def softmax(scores):
    x = scores.bfloat16()  # faster
    x = (x - x.amax(-1, keepdim=True)).exp()
    return (x / x.sum(-1, keepdim=True)).float()
