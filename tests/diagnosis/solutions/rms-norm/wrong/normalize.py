import torch


def rms_norm(x, weight, eps=1e-6):
    d = x.size(-1)
    norm = torch.sqrt((x**2).sum(-1, keepdim=True) / d + eps)
    return weight * (x / norm) * d**-0.5
