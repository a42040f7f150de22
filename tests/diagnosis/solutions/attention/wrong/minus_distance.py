import torch


def attention(query, key, value):
    similarity = -(query @ key.mT) / query.shape[-1] ** 0.5
    return torch.softmax(similarity, dim=-1) @ value
