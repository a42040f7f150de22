import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    q, k, v = x @ wq, x @ wk, x @ wv
    size = x.shape[-1] // heads
    outs = []
    for h in range(heads):
        s = q[..., h::heads] @ k[..., h::heads].mT / size**0.5
        outs.append(torch.softmax(s, -1) @ v[..., h::heads])
    return torch.cat(outs, dim=-1) @ wo
