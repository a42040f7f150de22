import math

import torch


def rms_norm(x, weight, eps=1e-6):
    flat = x.reshape(-1, x.shape[-1])
    w = weight.tolist()
    out = []
    for row in flat.tolist():
        r = math.sqrt(math.fsum(v * v for v in row) / len(row) + eps)
        out.append([v / r * g for v, g in zip(row, w)])
    return torch.tensor(out, dtype=x.dtype).reshape(x.shape)
