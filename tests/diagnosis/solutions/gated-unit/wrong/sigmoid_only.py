import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width)

    def silu(self, a):
        return 1 / (1 + torch.exp(-a))

    def forward(self, x):
        return x + self.down(self.silu(self.gate(x)) * self.up(x))
