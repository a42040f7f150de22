import torch


def softmax(scores):
    total = torch.einsum("...i->...", scores)[..., None]
    return torch.div(scores, total)
