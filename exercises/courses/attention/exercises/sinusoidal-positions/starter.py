import torch


def sinusoidal_positions(n, d):
    """Vectors for the positions 0 to n - 1, in pairs of a sine and a cosine.

    n, d: whole numbers, d even   returns: (n, d)
    """
    raise NotImplementedError("Write this function, then press Run.")
