import torch


def multi_head_attention(x, wq, wk, wv, wo, heads):
    size = x.shape[-1] // heads
    q, k, v = (torch.einsum("oi,bni->bno", w, x) for w in (wq, wk, wv))
    parts = []
    for h in range(heads):
        cut = slice(h * size, (h + 1) * size)
        weights = torch.softmax(q[..., cut] @ k[..., cut].mT / size**0.5, -1)
        parts.append(weights @ v[..., cut])
    return torch.einsum("oi,bni->bno", wo, torch.cat(parts, -1))
