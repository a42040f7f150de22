import torch


def attention(query, key, value):
    scores = torch.matmul(query, key.transpose(-1, -2))
    scores = scores / torch.sqrt(torch.tensor(query.shape[-1]))
    probs = torch.softmax(scores, dim=-1)
    return torch.matmul(scores, value)
