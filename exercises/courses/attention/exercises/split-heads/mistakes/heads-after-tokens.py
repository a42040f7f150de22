def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1))
