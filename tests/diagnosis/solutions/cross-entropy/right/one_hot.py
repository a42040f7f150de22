import torch
import torch.nn.functional as F


def cross_entropy(logits, target):
    hot = F.one_hot(target, logits.shape[1]).to(logits)
    log_probs = F.log_softmax(logits, dim=1)
    print(log_probs)
    return -torch.einsum("nc,nc->", hot, log_probs) / len(target)
