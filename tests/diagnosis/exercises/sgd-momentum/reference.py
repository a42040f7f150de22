import torch


def sgd_step(
    parameter: torch.Tensor,
    gradient: torch.Tensor,
    velocity: torch.Tensor,
    lr: float,
    momentum: float = 0.9,
    weight_decay: float = 0.0,
    nesterov: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    gradient = gradient + weight_decay * parameter
    velocity = momentum * velocity + gradient
    direction = gradient + momentum * velocity if nesterov else velocity
    return parameter - lr * direction, velocity
