import torch


def layer_norm(x, weight, bias, eps=1e-5):
    n = x.shape[-1]
    centred = x - x.sum(-1, keepdim=True) / n
    var = (centred**2).sum(-1, keepdim=True) / (n - 1)
    return weight * centred * torch.rsqrt(var + eps) + bias
