import torch


def scaled_dot_product_attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / query.shape[-1]
    return torch.softmax(scores, dim=-1) @ value
