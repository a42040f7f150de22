def attention(query, key, value):
    return (query @ key.transpose(-2, -1)).softmax(dim=-1) @ value
