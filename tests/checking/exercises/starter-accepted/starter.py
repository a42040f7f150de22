def centred(x):
    """x: (n, d)   returns: (n, d)"""
    return x - x.sum(dim=-1, keepdim=True) / x.shape[-1]
