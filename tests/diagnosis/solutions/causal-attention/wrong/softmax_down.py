import torch


def causal_attention(query, key, value):
    n, d = query.shape[-2:]
    scores = query @ key.mT / d**0.5
    scores = scores.masked_fill(torch.ones(n, n).tril() == 0, -torch.inf)
    weights = torch.softmax(scores, dim=-2)
    return weights @ value, weights
