import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        g, u = self.gate.weight @ x.mT, self.up.weight @ x.mT
        h = torch.sigmoid(g) * g * u
        return x + self.down(h.mT)
