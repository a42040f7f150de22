import torch


def cross_entropy(logits, target):
    logp = torch.log_softmax(logits, dim=-1)
    return -logp.gather(1, target[:, None]).mean(dim=0)
