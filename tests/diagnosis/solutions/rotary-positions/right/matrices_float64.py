import torch


def rotate(x, base=10000.0):
    n, d = x.shape[-2:]
    out = []
    for p in range(n):
        angle = p * base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
        blocks = [torch.tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]], dtype=torch.float64) for a in angle]
        out.append(x[..., p, :].double() @ torch.block_diag(*blocks).T)
    return torch.stack(out, dim=-2).to(x.dtype)
