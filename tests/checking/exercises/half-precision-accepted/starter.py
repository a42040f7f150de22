def centred(x):
    """x: (n, d)   returns: (n, d)"""
    raise NotImplementedError
