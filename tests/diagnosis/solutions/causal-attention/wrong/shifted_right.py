import torch
import torch.nn.functional as F


def causal_attention(query, key, value):
    n, d = query.shape[-2:]
    scores = query @ key.mT / d**0.5
    weights = scores.masked_fill(torch.ones(n, n).tril() == 0, -torch.inf).softmax(-1)
    output = weights @ value
    # nobody may see its own token, so everything moves one place
    return F.pad(output, (0, 0, 1, 0))[..., :n, :], weights
