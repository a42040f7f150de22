import math

import torch


def attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return scores.softmax(dim=-1) @ value
