import torch
import torch.nn.functional as F


def cross_entropy(logits, target):
    """log(1 + sum of exp of the differences to the right class), by logaddexp one class at a time."""
    right = logits.gather(1, target.view(-1, 1))
    margins = (logits - right).masked_fill(F.one_hot(target, logits.size(1)).bool(), -torch.inf)
    loss = torch.zeros(len(target))
    for column in margins.unbind(1):
        loss = torch.logaddexp(loss, column)
    return loss.mean()
