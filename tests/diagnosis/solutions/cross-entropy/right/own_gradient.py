import torch


class Loss(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, target):
        logp = logits - logits.logsumexp(1, keepdim=True)
        ctx.save_for_backward(logp, target)
        return -logp[range(len(target)), target].mean()

    @staticmethod
    def backward(ctx, g):
        logp, target = ctx.saved_tensors
        grad = logp.exp()
        grad[range(len(target)), target] -= 1
        return g * grad / len(target), None


def cross_entropy(logits, target):
    return Loss.apply(logits, target)
