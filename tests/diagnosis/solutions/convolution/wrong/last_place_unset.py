import torch
import torch.nn.functional as F


def convolve(x, weight, bias, stride=1, padding=0):
    x = F.pad(x, (padding, padding))
    width = weight.shape[-1]
    places = (x.shape[-1] - width) // stride + 1
    out = torch.empty(x.shape[0], weight.shape[0], places)
    for p in range(places - 1):
        window = x[:, :, p * stride : p * stride + width]
        out[:, :, p] = torch.tensordot(window, weight, dims=([1, 2], [1, 2])) + bias
    return out
