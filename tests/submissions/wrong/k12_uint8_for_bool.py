"""Bytes of 0 and 1 for a mask."""

import torch


def above(x, threshold):
    return (x > threshold).to(torch.uint8)
