import torch


def cross_entropy(logits, target):
    logp = torch.log_softmax(logits, dim=-1)
    return -logp[torch.arange(len(target)), target]
