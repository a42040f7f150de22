import numpy as np
import torch


def sinusoidal_positions(length, width, base=10000.0):
    angles = np.arange(length)[:, None] / base ** (np.arange(0, width, 2) / width)
    table = np.zeros((length, width))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return torch.from_numpy(table)
