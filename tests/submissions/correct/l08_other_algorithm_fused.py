"""By fused attention: one query a row, whose scores are the row's entries."""

import torch
import torch.nn.functional as F


def row_softmax(x):
    n, m = x.shape
    query = x.reshape(n, 1, m)
    key = value = torch.eye(m).expand(n, m, m)
    return F.scaled_dot_product_attention(query, key, value, scale=1.0).reshape(n, m)
