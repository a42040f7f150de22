import torch
import torch.nn.functional as F


def causal_attention(query, key, value):
    output = F.scaled_dot_product_attention(query, key, value, is_causal=True)
    n = query.shape[-2]
    identity = torch.eye(n).expand(*query.shape[:-2], n, n)
    # the weights are what attention makes of the identity
    weights = F.scaled_dot_product_attention(query, key, identity, is_causal=True)
    return output, weights
