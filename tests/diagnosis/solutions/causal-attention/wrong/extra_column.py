import torch


def causal_attention(query, key, value):
    n, d = query.shape[-2:]
    mask = torch.tril(torch.ones(n, n), diagonal=1).bool()
    scores = (query @ key.mT / d**0.5).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, -1)
    return weights @ value, weights
