import torch.nn.functional as F


def layer_norm(x, weight, bias, eps=1e-5):
    return F.layer_norm(x, x.shape[1:] if x.dim() > 2 else x.shape, None, None, eps) * weight + bias
