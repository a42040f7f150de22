import torch
from torch import nn


class Scorer(nn.Module):
    """Two linear layers with tanh between them. x: (n, features), returns (n, classes)."""

    def __init__(self, features, classes):
        super().__init__()
        raise NotImplementedError("Write this class.")
