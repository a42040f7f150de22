import torch


def rms_norm(x, weight, eps=1e-6):
    var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return weight * (x - mean) * torch.rsqrt(var + eps)
