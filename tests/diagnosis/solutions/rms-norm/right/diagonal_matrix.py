import torch


def rms_norm(x, weight, eps=1e-6):
    d = x.shape[-1]
    inverse = 1 / torch.sqrt(torch.einsum("...d,...d->...", x, x) / d + eps)
    return torch.einsum("...d,...->...d", x, inverse) @ torch.diag(weight)
