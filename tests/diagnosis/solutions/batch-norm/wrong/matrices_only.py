import torch


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    mean, var = x.mean(0), x.var(0, unbiased=False)
    n = x.size(0)
    y = (x - mean) / torch.sqrt(var + eps)
    return y, (1 - momentum) * running_mean + momentum * mean, (1 - momentum) * running_var + momentum * var * n / (n - 1)
