import torch


def layer_norm(x, weight, bias, eps=1e-5):
    mean = torch.mean(x, -1, keepdim=True)
    sigma = torch.mean((x - mean) ** 2, -1, keepdim=True)
    return weight * ((x - mean) / (sigma + eps)) + bias
