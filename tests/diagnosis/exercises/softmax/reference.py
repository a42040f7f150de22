import torch


def softmax(scores: torch.Tensor) -> torch.Tensor:
    shifted = scores - scores.amax(dim=-1, keepdim=True)
    weights = shifted.exp()
    return weights / weights.sum(dim=-1, keepdim=True)
