import torch


class RootMeanSquare(torch.nn.Module):
    pass
