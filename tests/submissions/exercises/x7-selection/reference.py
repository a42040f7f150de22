import torch


def select(x, threshold):
    return x[x[:, 0] > threshold]
