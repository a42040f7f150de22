import torch


def cross_entropy(logits, target):
    m = logits.max(dim=1, keepdim=True).values
    log_z = m + torch.log(torch.sum(torch.exp(logits - m), dim=1, keepdim=True))
    log_probs = logits - log_z
    return torch.mean(log_probs[torch.arange(len(target)), target])
