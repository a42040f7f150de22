def multi_head_attention(x, wq, wk, wv, wo, heads):
    batch, tokens, width = x.shape
    query, key, value = ((x @ w.T).view(batch, tokens, heads, -1).transpose(1, 2) for w in (wq, wk, wv))
    scores = query @ key.transpose(-2, -1) / (width // heads) ** 0.5
    merged = (scores.softmax(dim=-1) @ value).transpose(1, 2).reshape(batch, tokens, width)
    return merged @ wo.T
