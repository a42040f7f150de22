import torch


def rms_norm(x, weight, eps=1e-6):
    rms = (x.pow(2).mean() + eps).sqrt()
    return x / rms * weight
