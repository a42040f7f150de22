import torch


def multi_head_attention(x, to_query, to_key, to_value, to_output, heads, mask=None):
    """Attention with several heads, between a projection of its inputs and one of its output.

    x: (..., n, d)   to_query, to_key, to_value, to_output: (d, d)
    mask: (n, n), true where a query may see a key, or None   returns: (..., n, d)
    """
    raise NotImplementedError("Write this function, then press Run.")
