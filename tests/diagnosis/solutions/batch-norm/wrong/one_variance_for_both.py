import torch
import torch.nn.functional as F


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    y = F.batch_norm(x, None, None, training=True, eps=eps)
    rows = x.transpose(0, 1).flatten(1)
    m = rows.sum(1) / rows.shape[1]
    v = (rows - m[:, None]).square().sum(1) / rows.shape[1]
    return y, running_mean * (1 - momentum) + m * momentum, running_var * (1 - momentum) + v * momentum
