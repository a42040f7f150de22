import torch.nn.functional as F


def convolve(x, weight, bias, stride=1, padding=0):
    return F.conv1d(F.pad(x, (2 * padding, 0)), weight, bias, stride)
