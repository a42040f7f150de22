import torch


def batch_norm(
    x: torch.Tensor, running_mean: torch.Tensor, running_var: torch.Tensor, momentum: float = 0.1, eps: float = 1e-5
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    rows = x.movedim(1, -1).flatten(end_dim=-2)
    mean, variance = rows.mean(dim=0), rows.var(dim=0, correction=0)
    normalised = (x.movedim(1, -1) - mean) / (variance + eps).sqrt()
    count = rows.shape[0]
    new_mean = (1 - momentum) * running_mean + momentum * mean
    new_var = (1 - momentum) * running_var + momentum * variance * count / (count - 1)
    return normalised.movedim(-1, 1), new_mean, new_var
