import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, inputs, outputs, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs))
        nn.init.xavier_uniform_(self.weight)
        self.register_parameter("bias", nn.Parameter(torch.zeros(outputs)) if bias else None)

    def forward(self, x):
        y = torch.einsum("...i,oi->...o", x, self.weight)
        return y if self.bias is None else y + self.bias


class GatedUnit(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.up, self.gate = Linear(width, hidden, False), Linear(width, hidden, False)
        self.down = Linear(hidden, width, True)

    def forward(self, x):
        a = self.gate(x)
        return self.down(a / (1 + torch.exp(-a)) * self.up(x)) + x
