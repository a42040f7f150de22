import torch


def attention(query, key, value):
    w = torch.softmax(query @ key.mT / query.shape[-1] ** 0.5, dim=-1)
    return (w.unsqueeze(-1) * value.unsqueeze(-3)).mean(dim=-2)
