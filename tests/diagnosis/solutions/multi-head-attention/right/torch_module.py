import torch
from torch import nn


def multi_head_attention(x, wq, wk, wv, wo, heads):
    d = x.shape[-1]
    module = nn.MultiheadAttention(d, heads, bias=False, batch_first=True)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.cat([wq.T, wk.T, wv.T]))
        module.out_proj.weight.copy_(wo.T)
    out, _ = module(x, x, x, need_weights=True)
    return out
