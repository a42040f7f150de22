def multi_head_attention(x, wq, wk, wv, wo, heads):
    batch, tokens, width = x.shape
    query, key, value = ((x @ w).view(batch, tokens, -1, heads).permute(0, 3, 1, 2) for w in (wq, wk, wv))
    scores = query @ key.transpose(-2, -1) / (width // heads) ** 0.5
    merged = (scores.softmax(dim=-1) @ value).transpose(1, 2).reshape(batch, tokens, width)
    return merged @ wo
