import torch


def layer_norm(x, weight, bias, eps=1e-5):
    centred = x - torch.mean(x, dim=-1, keepdim=True)
    scale = torch.einsum("...d,...d->...", centred, centred).unsqueeze(-1) / x.shape[-1] + eps
    return centred.div(scale).mul(weight).add(bias)
