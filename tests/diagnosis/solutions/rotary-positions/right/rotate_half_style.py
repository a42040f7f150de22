import torch


def swap(x):
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((-b, a), -1).flatten(-2)


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    rate = base ** (-torch.arange(0, d, 2) / d)
    angle = (torch.arange(n)[:, None] * rate).repeat_interleave(2, dim=-1)
    print(angle)
    return x * angle.cos() + swap(x) * angle.sin()
