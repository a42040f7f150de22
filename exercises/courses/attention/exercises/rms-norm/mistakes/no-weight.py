import torch


class RMSNorm(torch.nn.Module):
    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        size = (x.square().mean(dim=-1, keepdim=True) + self.eps).sqrt()
        return x / size
