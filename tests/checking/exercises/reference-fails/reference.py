def centred(x):
    return x - x.mean(axis=2, keepdim=True)
