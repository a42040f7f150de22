import torch


def causal_attention(query, key, value):
    n, d = query.shape[-2:]
    scores = query @ key.mT / d**0.5
    scores = scores * torch.ones(n, n).tril()
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
