import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width)
        self.act = nn.GELU()

    def forward(self, x):
        gated = torch.mul(self.up(x), self.act(self.gate(x)))
        return torch.add(self.down(gated), x)
