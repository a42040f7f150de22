import torch
import torch.nn.functional as F


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    m, v = running_mean.clone(), running_var.clone()
    y = F.batch_norm(x, m, v, training=True, momentum=1 - momentum, eps=eps)
    return y, m, v
