import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.register_buffer("scale", torch.tensor(float(d)).rsqrt())
        self.soft = nn.Softmax(dim=2)

    def forward(self, q, k, v):
        batch = q.shape[:-2]
        q, k, v = (t.reshape(-1, t.shape[-2], t.shape[-1]) for t in (q, k, v))
        w = self.soft(torch.bmm(q * self.scale, k.permute(0, 2, 1)))
        return torch.bmm(w, v).reshape(*batch, q.shape[1], v.shape[2])


def attention(query, key, value):
    return Attention(query.shape[-1])(query, key, value)
