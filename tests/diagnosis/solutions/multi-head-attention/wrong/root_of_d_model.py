import torch.nn.functional as F


def multi_head_attention(x, wq, wk, wv, wo, heads):
    q, k, v = ((x @ w).unflatten(-1, (heads, -1)).transpose(1, 2) for w in (wq, wk, wv))
    out = F.scaled_dot_product_attention(q, k, v, scale=x.shape[-1] ** -0.5)
    return out.transpose(1, 2).flatten(2) @ wo
