import torch


def causal_attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    length, width = query.shape[-2:]
    scores = query @ key.transpose(-2, -1) / width**0.5
    future = torch.ones(length, length, dtype=torch.bool).triu(diagonal=1)
    weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
    return weights @ value, weights
