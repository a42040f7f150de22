import torch


def sinusoidal_positions(length: int, width: int, base: float = 10000.0) -> torch.Tensor:
    frequencies = base ** (-torch.arange(0, width, 2) / width)
    angles = torch.arange(length).unsqueeze(1) * frequencies
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(start_dim=1)
