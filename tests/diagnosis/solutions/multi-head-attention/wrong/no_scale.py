import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    b, n, d = x.shape
    q, k, v = ((x @ w).view(b, n, heads, d // heads).transpose(1, 2) for w in (wq, wk, wv))
    att = torch.softmax(q @ k.mT, -1)
    return (att @ v).transpose(1, 2).reshape(b, n, d) @ wo
