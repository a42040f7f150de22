"""A value instead of a function."""

import torch

row_softmax = torch.tensor([[1.0]])
