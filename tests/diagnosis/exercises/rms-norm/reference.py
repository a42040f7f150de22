import torch


def rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    return x * (x.square().mean(dim=-1, keepdim=True) + eps).rsqrt() * weight
