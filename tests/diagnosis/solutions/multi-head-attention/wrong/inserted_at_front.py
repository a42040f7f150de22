import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    size = x.shape[-1] // heads
    outs = []
    for h in range(heads):
        q, k, v = ((x @ w)[..., h * size : (h + 1) * size] for w in (wq, wk, wv))
        outs.insert(0, torch.softmax(q @ k.mT / size**0.5, -1) @ v)
    return torch.cat(outs, -1) @ wo
