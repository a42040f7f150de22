import torch

tokens = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 2.0]])
to_query = torch.tensor([[1.0, 1.0], [0.0, 1.0]])
to_key = torch.tensor([[1.0, 0.0], [1.0, 1.0]])
to_value = torch.tensor([[2.0, 0.0], [1.0, 1.0]])

queries, keys, values = tokens @ to_query, tokens @ to_key, tokens @ to_value
scores = queries @ keys.mT / keys.shape[-1]
weights = scores.softmax(dim=-1)
output = weights @ values
