import gc

import torch

torch.set_num_threads(2)


def multi_head_attention(x, wq, wk, wv, wo, heads):
    q, k, v = x @ wq, x @ wk, x @ wv
    size = x.shape[-1] // heads
    parts = []
    for h in range(heads):
        cut = slice(h * size, (h + 1) * size)
        scores = torch.bmm(q[:, :, cut], k[:, :, cut].transpose(1, 2)) / size**0.5
        parts.append(torch.bmm(torch.softmax(scores, dim=2), v[:, :, cut]))
        del scores
        gc.collect()
    return torch.cat(parts, dim=2) @ wo
