import torch


def layer_norm(x, weight, bias, eps=1e-5):
    centred = x - x.mean(-1, keepdim=True)
    var = torch.sum(centred * centred, -1, keepdim=True)
    return centred / torch.sqrt(var + eps) * weight + bias
