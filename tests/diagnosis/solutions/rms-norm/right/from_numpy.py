import numpy as np
import torch


class RMSNorm:
    def __init__(self, weight, eps):
        self.weight, self.eps = weight.numpy(), eps

    def __call__(self, x):
        x = np.moveaxis(x.numpy(), -1, 0)
        y = x / np.sqrt((x * x).mean(axis=0) + self.eps, dtype=np.float32)
        y = y * self.weight.reshape(-1, *[1] * (x.ndim - 1))
        return torch.from_numpy(np.moveaxis(y.astype(np.float32), 0, -1))


def rms_norm(x, weight, eps=1e-6):
    return RMSNorm(weight, eps)(x)
