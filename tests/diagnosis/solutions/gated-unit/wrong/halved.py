import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        self.bfloat16()
        y = x.bfloat16()
        return (y + self.down(nn.functional.silu(self.gate(y)) * self.up(y))).float()
