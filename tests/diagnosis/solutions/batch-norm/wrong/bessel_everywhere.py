import torch


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    rows = x.transpose(0, 1)
    flat = rows.reshape(x.shape[1], -1)
    std, mean = torch.std_mean(flat, dim=1)
    view = [-1] + [1] * (x.dim() - 1)
    y = (rows - mean.view(view)) / torch.hypot(std, torch.tensor(eps**0.5)).view(view)
    keep = 1 - momentum
    return y.transpose(0, 1), keep * running_mean + momentum * mean, keep * running_var + momentum * std**2
