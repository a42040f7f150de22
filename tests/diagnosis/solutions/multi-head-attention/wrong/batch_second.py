import torch
import torch.nn.functional as F


def multi_head_attention(x, wq, wk, wv, wo, heads):
    b, n, d = x.shape
    q, k, v = ((x @ w).view(b, n, heads, d // heads).transpose(1, 2) for w in (wq, wk, wv))
    out = F.scaled_dot_product_attention(q, k, v)
    out = out.permute(2, 0, 1, 3).reshape(n, b, d)
    return out @ wo
