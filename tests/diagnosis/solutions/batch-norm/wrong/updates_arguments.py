import torch.nn.functional as F


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    y = F.batch_norm(x, running_mean, running_var, training=True, momentum=momentum, eps=eps)
    return y, running_mean, running_var
