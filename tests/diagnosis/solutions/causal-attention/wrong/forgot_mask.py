import torch
import torch.nn.functional as F


def causal_attention(query, key, value):
    scores = torch.einsum("...nd,...md->...nm", query, key) / query.shape[-1] ** 0.5
    mask = torch.tril(torch.ones(scores.shape[-2:]))
    scores.masked_fill(mask == 0, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights
