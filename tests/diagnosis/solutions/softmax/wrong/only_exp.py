import torch


def softmax(scores):
    biggest, _ = scores.max(-1)
    e = torch.exp(scores - biggest[..., None])
    # dividing so that the largest one becomes 1
    return e / e.max(-1)[0].unsqueeze(-1)
