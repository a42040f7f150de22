import torch
from torch import nn


class Block(nn.Module):
    """Causal attention and a feed-forward layer, each behind a norm and beside a way around."""

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
        """x: (..., n, width)   returns: (..., n, width)"""
        raise NotImplementedError("Write this method, then press Run.")
