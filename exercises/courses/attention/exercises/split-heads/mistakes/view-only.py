def split_heads(x, heads):
    *batch, n, d = x.shape
    return x.reshape(*batch, heads, n, d // heads)
