import torch


def adam_step(
    parameter: torch.Tensor,
    gradient: torch.Tensor,
    first: torch.Tensor,
    second: torch.Tensor,
    step: int,
    lr: float = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
) -> dict[str, torch.Tensor]:
    first = beta1 * first + (1 - beta1) * gradient
    second = beta2 * second + (1 - beta2) * gradient.square()
    corrected_first, corrected_second = first / (1 - beta1**step), second / (1 - beta2**step)
    parameter = parameter - lr * corrected_first / (corrected_second.sqrt() + eps)
    return {"parameter": parameter, "first": first, "second": second}
