import torch


def causal_attention(query, key, value):
    n, d = query.shape[-2:]
    scores = query @ key.mT / d**0.5
    for i in range(n):
        scores[..., i, i + 2 :] = -1e9
    weights = scores.softmax(-1)
    return weights @ value, weights
