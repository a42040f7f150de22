import torch
import torch.nn.functional as F


def convolve(x, weight, bias, stride=1, padding=0):
    x = F.pad(x, (padding, padding))
    out = []
    for start in range(0, x.shape[-1] - weight.shape[-1] + 1, stride):
        window = x[:, 0, start : start + weight.shape[-1]]
        out.append(window @ weight[:, 0].T + bias)
    return torch.stack(out, dim=2)
