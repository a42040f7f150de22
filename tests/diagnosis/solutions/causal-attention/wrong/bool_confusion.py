import torch


def causal_attention(query, key, value):
    n, d = query.shape[-2:]
    scores = query @ key.mT / d**0.5
    mask = torch.tril(torch.ones(n, n, dtype=torch.bool))
    scores = scores.masked_fill(mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
