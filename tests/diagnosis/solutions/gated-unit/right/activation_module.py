import torch
import torch.nn as nn


class GatedUnit(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        for name in ("gate", "up"):
            self.add_module(name, nn.Linear(width, hidden, bias=False))
        self.down = nn.Linear(hidden, width, bias=True)
        self.act = nn.SiLU(inplace=True)

    def forward(self, x):
        g = self.act(self.gate(x))
        g = g.mul_(self.up(x))
        print("gated:", g.shape)
        return self.down(g).add_(x)
