import torch


def causal_attention(query, key, value):
    n = query.size(-2)
    scores = torch.einsum("...id,...jd->...ij", query, key) / query.size(-1) ** 0.5
    mask = torch.tril(torch.ones(n, n))
    scores = torch.where(mask == 0, torch.finfo(scores.dtype).min, scores)
    print(mask)
    weights = torch.softmax(scores, -1)
    return [torch.einsum("...ij,...je->...ie", weights, value), weights]
