import torch


def softmax(scores: torch.Tensor) -> torch.Tensor:
    scores = scores - torch.max(scores, dim=-1, keepdim=True)[0]
    weights = torch.exp(scores)
    probs = weights / torch.sum(weights, dim=-1, keepdim=True)
    return scores
