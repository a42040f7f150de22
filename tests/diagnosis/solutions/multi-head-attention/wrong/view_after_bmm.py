import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    B, T, C = x.shape
    hs = C // heads
    q = (x @ wq).view(B, T, heads, hs).transpose(1, 2).reshape(B * heads, T, hs)
    k = (x @ wk).view(B, T, heads, hs).transpose(1, 2).reshape(B * heads, T, hs)
    v = (x @ wv).view(B, T, heads, hs).transpose(1, 2).reshape(B * heads, T, hs)
    att = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / hs**0.5, dim=-1)
    return torch.bmm(att, v).view(B, T, C) @ wo
