import torch


def attend(q, keys, values):
    scores = torch.stack([torch.dot(q, k) / len(q) ** 0.5 for k in keys])
    w = torch.softmax(scores, 0)
    out = torch.zeros(values.shape[1])
    for i in range(len(values)):
        out += w[i] * values[i]
    return out


def attention(query, key, value):
    if query.dim() > 2:
        return torch.stack([attention(q, k, v) for q, k, v in zip(query, key, value)])
    return torch.stack([attend(q, key, value) for q in query])
