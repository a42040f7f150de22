import torch


def attention(query, key, value):
    d = query.size(-1)
    logits = torch.einsum("...qd,...kd->...qk", query, key) * d**-0.5
    return torch.einsum("...qk,...ke->...qe", torch.softmax(logits, -1), value)
