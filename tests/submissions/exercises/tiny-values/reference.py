import torch


def powers(x):
    return x**10
