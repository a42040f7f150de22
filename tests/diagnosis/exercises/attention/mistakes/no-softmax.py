def attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    return scores @ value
