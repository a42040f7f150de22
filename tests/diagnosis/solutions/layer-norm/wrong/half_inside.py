import torch.nn.functional as F


def layer_norm(x, weight, bias, eps=1e-5):
    y = F.layer_norm(x.half(), x.shape[-1:], weight.half(), bias.half(), eps)
    return y.float()
