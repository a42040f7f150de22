import torch


def above(x, threshold):
    return x > threshold
