import torch


def attention(query, key, value):
    w = torch.softmax(key @ query.mT / query.shape[-1] ** 0.5, dim=-2)
    return value.mT @ w
