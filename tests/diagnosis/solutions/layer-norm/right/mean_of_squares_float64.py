import torch


def layer_norm(x, weight, bias, eps=1e-5):
    y = x.to(torch.float64)
    mean = y.mean(-1, keepdim=True)
    var = (y * y).mean(-1, keepdim=True) - mean * mean
    y = (y - mean) * torch.rsqrt(var + eps)
    return torch.addcmul(bias.double(), y, weight.double()).to(x.dtype)
