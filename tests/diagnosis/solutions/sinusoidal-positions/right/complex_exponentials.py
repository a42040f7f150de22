import torch


def sinusoidal_positions(length, width, base=10000.0):
    omega = torch.pow(torch.tensor(base), -torch.linspace(0, 1, width // 2 + 1)[:-1])
    turned = torch.polar(torch.ones(length, width // 2), torch.outer(torch.arange(length), omega))
    return torch.view_as_real(turned).flip(-1).reshape(length, width)
