import torch


def attention(query, key, value):
    scores = torch.einsum("...nd,...md->...nm", query, key) / key.shape[-1] ** 0.5
    e = torch.exp(scores - scores.amax(dim=(-2, -1), keepdim=True))
    weights = e / e.sum(dim=-2, keepdim=True)
    return torch.einsum("...nm,...me->...ne", weights, value)
