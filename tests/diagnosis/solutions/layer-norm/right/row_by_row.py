import torch


def normalise(row, eps):
    n = row.numel()
    mu = sum(row) / n
    var = sum((v - mu) ** 2 for v in row) / n
    return (row - mu) / torch.sqrt(var + eps)


def layer_norm(x, weight, bias, eps=1e-5):
    rows = [normalise(r, eps) for r in x.reshape(-1, x.shape[-1])]
    return torch.stack(rows).reshape(x.shape) * weight + bias
