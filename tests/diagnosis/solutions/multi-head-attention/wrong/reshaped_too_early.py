import torch
import torch.nn.functional as F


def multi_head_attention(x, wq, wk, wv, wo, heads):
    q, k, v = (torch.stack((x @ w).chunk(heads, -1), dim=1) for w in (wq, wk, wv))
    out = F.scaled_dot_product_attention(q, k, v)
    return torch.matmul(out.contiguous().reshape_as(x), wo)
