"""TorchScript, symbolic tracing and functional transforms."""

import torch
import torch.fx


@torch.jit.script
def shifted(x: torch.Tensor) -> torch.Tensor:
    return x - torch.amax(x, dim=1, keepdim=True)


def exponentials(x):
    return x.exp()


traced = torch.fx.symbolic_trace(exponentials)


def share(row):
    return row / row.sum()


def row_softmax(x):
    return torch.func.vmap(share)(traced(shifted(x)))
