import torch


def causal_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    n = scores.shape[-1]
    visible = torch.ones(n, n, dtype=torch.bool).triu()
    return scores.masked_fill(~visible, float("-inf")).softmax(dim=-1) @ value
