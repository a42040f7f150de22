import torch


def attention(query, key, value):
    query /= query.shape[-1] ** 0.5
    return torch.softmax(query @ key.mT, dim=-1) @ value
