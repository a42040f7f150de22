def attention(query, key, value):
    scores = query @ key.transpose(-2, -1) / query.shape[-1]
    return scores.softmax(dim=-1) @ value
