import torch


def one_row(row):
    top = max(row.tolist())
    exps = [torch.exp(x - top) for x in row]
    total = sum(exps)
    return torch.stack([e / total for e in exps])


def softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    return torch.stack([one_row(r) for r in rows]).reshape(scores.shape)
