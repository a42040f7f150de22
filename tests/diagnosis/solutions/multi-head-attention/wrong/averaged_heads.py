import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    size = x.shape[-1] // heads
    outs = []
    for h in range(heads):
        cut = slice(h * size, (h + 1) * size)
        q, k, v = (x @ wq[:, cut], x @ wk[:, cut], x @ wv[:, cut])
        outs.append(torch.softmax(q @ k.mT / size**0.5, -1) @ v @ wo[cut])
    return torch.stack(outs).mean(0)
