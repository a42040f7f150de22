import torch


def drive(entry, case):
    (x,) = case["args"]
    return bool(torch.allclose(entry(x), x - x.mean(dim=-1, keepdim=True), atol=1e-5))
