import torch


def above(x, threshold):
    """Which entries are greater. x: (n,), returns (n,) bool."""
    raise NotImplementedError("Write this function.")
