import torch.nn.functional as F


def attention(query, key, value):
    d = key.size(-1)
    return F.scaled_dot_product_attention(query, key, value, scale=1 / d)
