import torch


def centred(x):
    return x - torch.mean(x)
