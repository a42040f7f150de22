import torch


def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    axes = [a for a in range(x.dim()) if a != 1]
    shape = [1, -1] + [1] * (x.dim() - 2)
    mean = x.mean(axes)
    centred = x - mean.view(shape)
    squares = (centred * centred).sum(axes)
    n = x.numel() // x.shape[1]
    y = centred * torch.rsqrt(squares / n + eps).view(shape)
    return y, torch.lerp(running_mean, mean, momentum), torch.lerp(running_var, squares / (n - 1), momentum)
