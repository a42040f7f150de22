import torch


def root_mean_square(x):
    return x.square().mean().sqrt()
