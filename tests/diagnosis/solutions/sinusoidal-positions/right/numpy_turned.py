import numpy as np
import torch


def sinusoidal_positions(length, width, base=10000.0):
    i = np.arange(width)[:, None]
    angles = np.arange(length)[None, :] / np.power(base, (2 * (i // 2)) / width)
    angles[0::2] = np.sin(angles[0::2])
    angles[1::2] = np.cos(angles[1::2])
    return torch.from_numpy(angles.astype(np.float32)).T
