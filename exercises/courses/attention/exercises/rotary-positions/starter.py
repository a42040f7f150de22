import torch


def rotary(x, base=10_000.0):
    """Turn each pair of neighbouring columns by an angle that grows with the position.

    x: (..., n, d), d even   returns: (..., n, d)
    """
    raise NotImplementedError("Write this function, then press Run.")
