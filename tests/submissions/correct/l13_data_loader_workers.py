"""A data loader with two worker processes."""

import torch
from torch.utils.data import DataLoader, TensorDataset


def train(x, y, steps, seed):
    weight = torch.randn(x.shape[1], generator=torch.Generator().manual_seed(seed))
    bias = torch.zeros(())
    loader = DataLoader(TensorDataset(x, y), batch_size=len(x), num_workers=2)
    for _ in range(steps):
        for inputs, targets in loader:
            error = 2 * (inputs @ weight + bias - targets) / len(targets)
            weight = weight - 0.1 * (inputs.T @ error)
            bias = bias - 0.1 * error.sum()
    return {"weight": weight, "bias": bias}
