import numpy as np


def sinusoidal_positions(length, width, base=10000.0):
    angles = np.arange(length)[:, None] / base ** (np.arange(0, width, 2) / width)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(length, width).astype(np.float32)
