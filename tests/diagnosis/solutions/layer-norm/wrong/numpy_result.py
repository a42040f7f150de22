import numpy as np


def layer_norm(x, weight, bias, eps=1e-5):
    x, weight, bias = (t.detach().numpy() for t in (x, weight, bias))
    mean = x.mean(-1, keepdims=True)
    return weight * (x - mean) / np.sqrt(x.var(-1, keepdims=True) + np.float32(eps)) + bias
