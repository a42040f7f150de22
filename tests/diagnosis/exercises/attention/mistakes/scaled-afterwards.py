def attention(query, key, value):
    weights = (query @ key.transpose(-2, -1)).softmax(dim=-1) / query.shape[-1] ** 0.5
    return weights @ value
