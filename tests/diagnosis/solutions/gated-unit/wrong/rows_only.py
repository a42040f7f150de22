import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        batch, width = x.shape[0], x.shape[1:]
        rows = x.reshape(batch, -1, x.shape[-1])
        out = torch.bmm(nn.functional.silu(self.gate(rows)) * self.up(rows), self.down.weight.T.expand(batch, -1, -1))
        return x + (out + self.down.bias).reshape(batch, *width)
