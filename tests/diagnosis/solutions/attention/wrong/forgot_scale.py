import torch


def attention(query, key, value):
    scores = torch.einsum("...nd,...md->...nm", query, key)
    e = torch.exp(scores - scores.max(-1, keepdim=True).values)
    return torch.einsum("...nm,...me->...ne", e / e.sum(-1, keepdim=True), value)
