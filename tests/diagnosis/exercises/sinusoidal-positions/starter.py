import torch


def sinusoidal_positions(length: int, width: int, base: float = 10000.0) -> torch.Tensor:
    ...
