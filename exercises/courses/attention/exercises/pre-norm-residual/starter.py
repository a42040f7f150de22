import torch


class PreNorm(torch.nn.Module):
    """A residual connection around `sublayer`, which sees its input normalised."""

    def __init__(self, width, sublayer):
        super().__init__()
        raise NotImplementedError("Write this class, then press Run.")

    def forward(self, x):
        """x: (..., width)   returns: (..., width)"""
