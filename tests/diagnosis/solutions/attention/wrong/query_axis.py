import torch


def attention(query, key, value):
    d = query.shape[-1]
    scores = key @ query.mT / d**0.5
    weights = torch.softmax(scores, dim=-1)
    return weights.mT @ value
