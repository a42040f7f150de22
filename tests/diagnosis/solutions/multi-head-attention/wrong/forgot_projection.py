import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    q, k, v = (torch.stack((x @ w).chunk(heads, -1), 1) for w in (wq, wk, wv))
    att = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    return torch.cat(att.unbind(1), -1)
