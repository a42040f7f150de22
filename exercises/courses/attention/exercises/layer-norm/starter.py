import torch


def layer_norm(x, weight, bias, eps=1e-5):
    """Give each vector mean 0 and variance 1, then stretch and shift its entries.

    x: (..., d)   weight, bias: (d,)   returns: (..., d)
    """
    raise NotImplementedError("Write this function, then press Run.")
