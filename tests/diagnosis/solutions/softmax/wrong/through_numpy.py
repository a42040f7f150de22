import numpy as np
import torch


def softmax(scores):
    x = scores.detach().numpy()
    x = np.exp(x - x.max(axis=-1, keepdims=True))
    return torch.from_numpy(x / x.sum(axis=-1, keepdims=True))
