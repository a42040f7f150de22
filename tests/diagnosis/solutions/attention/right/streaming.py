import torch


def attention(query, key, value):
    """Goes through the keys one at a time and keeps a running maximum (as in flash attention)."""
    scale = 1.0 / query.shape[-1] ** 0.5
    top = torch.full(query.shape[:-1] + (1,), float("-inf"))
    total = torch.zeros_like(top)
    acc = torch.zeros(*query.shape[:-1], value.shape[-1])
    for j in range(key.shape[-2]):
        s = (query * key[..., j : j + 1, :]).sum(-1, keepdim=True) * scale
        new_top = torch.maximum(top, s)
        shrink = torch.exp(top - new_top)
        p = torch.exp(s - new_top)
        acc = acc * shrink + p * value[..., j : j + 1, :]
        total = total * shrink + p
        top = new_top
    return acc / total
