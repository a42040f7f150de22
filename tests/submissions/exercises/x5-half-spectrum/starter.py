import torch


def half_spectrum(x):
    """The first n/2 + 1 Fourier coefficients. x: (n,), returns (n/2 + 1,) complex64."""
    raise NotImplementedError("Write this function.")
