import torch


def rms_norm(x, weight, eps=1e-6):
    rms = torch.linalg.norm(x, dim=-1, keepdim=True) / x.shape[-1] ** 0.5
    return x / rms * weight
