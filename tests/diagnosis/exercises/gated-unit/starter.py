import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        ...

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        ...
