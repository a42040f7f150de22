import torch
import torch.nn.functional as F
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.hidden = hidden
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        both = F.linear(x, torch.cat([self.gate.weight, self.up.weight]))
        a, b = both.split(self.hidden, dim=-1)
        inner = a * torch.sigmoid(a) * b
        return torch.addmm(self.down.bias, inner.reshape(-1, self.hidden), self.down.weight.T).view_as(x) + x
