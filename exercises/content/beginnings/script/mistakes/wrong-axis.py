import torch

scores = torch.tensor([[0.0, 3.0, 1.0], [1.0, 2.0, 4.0], [2.0, 1.0, 0.0]])

weights = scores.softmax(dim=0)
largest = weights.argmax(dim=0)
