import torch
import torch.nn.functional as F


def convolve(x, weight, bias, stride=1, padding=0):
    x = F.pad(x, (padding, padding + 1))
    out = F.conv1d(x[:, :, 1:], weight, bias, stride)
    return out
