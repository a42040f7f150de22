import torch

tokens = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 2.0]])
to_query = torch.tensor([[1.0, 1.0], [0.0, 1.0]])
to_key = torch.tensor([[1.0, 0.0], [1.0, 1.0]])
to_value = torch.tensor([[2.0, 0.0], [1.0, 1.0]])

# Make `weights` and `output` here.
