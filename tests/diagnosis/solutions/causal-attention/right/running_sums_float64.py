import torch


def causal_attention(query, key, value):
    q, k, v = query.double(), key.double(), value.double()
    scores = q @ k.transpose(-1, -2) * k.shape[-1] ** -0.5
    e = scores.exp()
    totals = torch.cumsum(e, dim=-1).diagonal(dim1=-2, dim2=-1).unsqueeze(-1)
    lower = torch.tril(e)
    return (lower @ v / totals).float(), (lower / totals).float()
