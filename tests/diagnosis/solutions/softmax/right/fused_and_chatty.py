import torch
import torch.nn.functional as F


def softmax(scores: torch.Tensor) -> torch.Tensor:
    print("input:", tuple(scores.shape), scores.dtype)
    result = F.softmax(scores, dim=-1)
    print("sums of the rows ✓", result.sum(-1))
    return result
