def centred(x):
    x -= x.mean(dim=-1, keepdim=True)
    return x
