def split_heads(x, heads):
    return x.unflatten(-1, (-1, heads)).movedim(-1, -3)
