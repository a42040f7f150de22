def causal_attention(query, key, value):
    weights = (query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5).softmax(dim=-1).tril()
    return weights @ value, weights
