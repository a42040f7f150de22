import torch


def rotate(x: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    ...
