import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    x, wq, wk, wv, wo = (t.double() for t in (x, wq, wk, wv, wo))
    b, n, d = x.shape
    q, k, v = ((x @ w).view(b, n, heads, d // heads).transpose(1, 2) for w in (wq, wk, wv))
    att = torch.softmax(q @ k.mT / (d // heads) ** 0.5, dim=-1)
    return (att @ v).transpose(1, 2).reshape(b, n, d) @ wo
