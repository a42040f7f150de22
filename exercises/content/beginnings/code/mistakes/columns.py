def centred(x):
    return x - x.mean(dim=0, keepdim=True)
