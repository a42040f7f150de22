import torch


def rms_norm(x, weight, eps=1e-6):
    d = x.shape[-1]
    squares = torch.einsum("...d,...d->...", x, x).unsqueeze(-1)
    return torch.mul(x, weight) * torch.rsqrt(squares + d * eps)
