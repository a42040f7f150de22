import torch


def batch_norm(
    x: torch.Tensor, running_mean: torch.Tensor, running_var: torch.Tensor, momentum: float = 0.1, eps: float = 1e-5
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    ...
