import torch


def causal_attention(query, key, value):
    n = len(query)
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    mask = torch.ones(n, n).tril()
    weights = scores.masked_fill(mask == 0, -torch.inf).softmax(-1)
    return weights @ value, weights
