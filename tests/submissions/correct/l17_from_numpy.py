"""Computes with numpy and shares its memory."""

import numpy as np
import torch


def row_softmax(x):
    numbers = x.numpy()
    weights = np.exp(numbers - numbers.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    np.ones((300, 300)) @ np.ones((300, 300))
    return torch.from_numpy(weights)
