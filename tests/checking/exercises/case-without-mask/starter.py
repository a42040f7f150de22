def masked_softmax(scores, mask):
    """scores, mask: (n, m)   returns: (n, m)"""
    raise NotImplementedError
