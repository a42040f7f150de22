import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width)
        self.act = nn.SiLU()

    def forward(self, x):
        hidden = torch.mul(self.up(x), self.act(self.gate(x)))
        x = self.down(hidden)
        return x
