import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    b, n, d = x.shape
    # every matrix as (heads, ...): no merging at all, the output is a sum over heads
    wq, wk, wv = (w.reshape(d, heads, d // heads) for w in (wq, wk, wv))
    wo = wo.reshape(heads, d // heads, d)
    q = torch.einsum("bnd,dhk->bhnk", x, wq)
    k = torch.einsum("bnd,dhk->bhnk", x, wk)
    v = torch.einsum("bnd,dhk->bhnk", x, wv)
    a = torch.einsum("bhnk,bhmk->bhnm", q, k).mul((d // heads) ** -0.5).softmax(-1)
    return torch.einsum("bhnm,bhmk,hkd->bnd", a, v, wo)
