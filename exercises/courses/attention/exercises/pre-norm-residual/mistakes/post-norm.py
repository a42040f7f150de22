import torch


class PreNorm(torch.nn.Module):
    def __init__(self, width, sublayer):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.sublayer = sublayer

    def forward(self, x):
        return self.norm(x + self.sublayer(x))
