import torch


@torch.jit.script
def softmax(scores: torch.Tensor) -> torch.Tensor:
    top = scores.max(dim=-1, keepdim=True)[0]
    e = torch.exp(scores - top)
    return e / e.sum(dim=-1, keepdim=True)
