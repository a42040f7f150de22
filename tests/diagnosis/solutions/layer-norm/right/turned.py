import torch


def layer_norm(gamma_input, g, b, eps=1e-5):
    # features first: statistics over axis 0 of a turned copy, the result is a turned view
    t = gamma_input.movedim(-1, 0).contiguous()
    var, mean = torch.var_mean(t, dim=0, correction=0)
    t = (t - mean).div_(torch.sqrt(var + eps))
    column = (-1,) + (1,) * (t.dim() - 1)
    return (t * g.view(column) + b.view(column)).movedim(0, -1)
