import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    b, n, d = x.shape
    q, k, v = ((x @ w).view(b, n, heads, d // heads).transpose(1, 2) for w in (wq, wk, wv))
    att = torch.softmax(q @ k.mT / (d // heads) ** 0.5, dim=-1)
    return (att @ v).transpose(1, 2).view(b, n, d) @ wo
