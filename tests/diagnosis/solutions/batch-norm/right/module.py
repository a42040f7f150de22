import torch
from torch import nn


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    kinds = {2: nn.BatchNorm1d, 3: nn.BatchNorm1d, 4: nn.BatchNorm2d}
    layer = kinds[x.dim()](x.shape[1], eps=eps, momentum=momentum, affine=False)
    layer.running_mean.copy_(running_mean)
    layer.running_var.copy_(running_var)
    layer.train()
    y = layer(x)
    return y, layer.running_mean, layer.running_var
