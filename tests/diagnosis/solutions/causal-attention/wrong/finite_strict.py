import torch


def causal_attention(query, key, value):
    n, d = query.shape[-2:]
    scores = query @ key.mT / d**0.5
    mask = torch.triu(torch.ones(n, n)).bool()
    weights = torch.softmax(scores.masked_fill(mask, -1e9), dim=-1)
    return weights @ value, weights
