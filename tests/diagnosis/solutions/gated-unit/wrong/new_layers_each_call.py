import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.width, self.size = width, hidden
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        gate = nn.Linear(self.width, self.size, bias=False)
        up = nn.Linear(self.width, self.size, bias=False)
        down = nn.Linear(self.size, self.width)
        return x + down(nn.functional.silu(gate(x)) * up(x))
