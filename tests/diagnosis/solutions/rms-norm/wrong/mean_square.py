import torch


def rms_norm(x, weight, eps=1e-6):
    rms = torch.mean(x * x, dim=-1, keepdim=True)
    return weight * x / (rms + eps)
