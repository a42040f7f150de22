import torch
import torch.nn as nn


def cross_entropy(logits, target):
    criterion = nn.CrossEntropyLoss()
    return criterion(nn.Softmax(dim=1)(logits), target)
