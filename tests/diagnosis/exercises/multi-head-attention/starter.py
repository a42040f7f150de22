import torch


def multi_head_attention(
    x: torch.Tensor, wq: torch.Tensor, wk: torch.Tensor, wv: torch.Tensor, wo: torch.Tensor, heads: int
) -> torch.Tensor:
    ...
