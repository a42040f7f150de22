import torch.nn.functional as F


def convolve(x, weight, bias, stride=1, padding=0):
    y = F.conv1d(x.bfloat16(), weight.bfloat16(), bias.bfloat16(), stride, padding)
    return y.float()
