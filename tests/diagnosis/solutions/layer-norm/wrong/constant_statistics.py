import torch


def layer_norm(x, weight, bias, eps=1e-5):
    with torch.no_grad():
        var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    return (x - mean) / torch.sqrt(var + eps) * weight + bias
