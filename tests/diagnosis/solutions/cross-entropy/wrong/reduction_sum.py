import torch.nn.functional as F


def cross_entropy(logits, target):
    loss = 0.0
    for i in range(len(target)):
        loss += F.cross_entropy(logits[i], target[i])
    return loss
