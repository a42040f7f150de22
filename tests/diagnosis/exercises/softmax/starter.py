import torch


def softmax(scores: torch.Tensor) -> torch.Tensor:
    ...
