import torch


def causal_attention(query, key, value):
    n = query.shape[-2]
    scores = query @ key.mT
    weights = scores.masked_fill(torch.ones(n, n).tril() == 0, -torch.inf).softmax(-1)
    return weights @ value, weights
