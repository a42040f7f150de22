import torch


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    z = x.double().transpose(0, 1).reshape(x.shape[1], -1)
    n = z.shape[1]
    first = z.sum(1) / n
    second = z.pow(2).sum(1) / n - first**2
    y = (z - first[:, None]) / (second + eps)[:, None].sqrt()
    y = y.reshape(x.shape[1], x.shape[0], *x.shape[2:]).transpose(0, 1).float()  # a view, channels lie first in memory
    keep = 1 - momentum
    return (
        y,
        (keep * running_mean + momentum * first).float(),
        (keep * running_var + momentum * second * n / (n - 1)).float(),
    )
