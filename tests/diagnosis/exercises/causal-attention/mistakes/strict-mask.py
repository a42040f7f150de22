import torch


def causal_attention(query, key, value):
    length, width = query.shape[-2:]
    scores = query @ key.transpose(-2, -1) / width**0.5
    future = torch.ones(length, length, dtype=torch.bool).triu()
    weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
    return weights @ value, weights
