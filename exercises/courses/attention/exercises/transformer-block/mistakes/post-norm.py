import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        x = self.norm1(x + self.attend(x))
        return self.norm2(x + self.down(nn.functional.gelu(self.up(x))))

    def attend(self, x):
        split = [part.unflatten(-1, (self.heads, -1)).transpose(-3, -2) for part in self.qkv(x).chunk(3, dim=-1)]
        query, key, value = split
        n = x.shape[-2]
        visible = torch.ones(n, n, dtype=torch.bool).tril()
        scores = query @ key.mT / query.shape[-1] ** 0.5
        weights = scores.masked_fill(~visible, float("-inf")).softmax(dim=-1)
        return self.out((weights @ value).transpose(-3, -2).flatten(-2))
