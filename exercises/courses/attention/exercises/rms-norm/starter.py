import torch


class RMSNorm(torch.nn.Module):
    """Divide each vector by the root of its mean square, then stretch its entries by `weight`."""

    def __init__(self, width, eps=1e-6):
        super().__init__()
        raise NotImplementedError("Write this class, then press Run.")

    def forward(self, x):
        """x: (..., width)   returns: (..., width)"""
