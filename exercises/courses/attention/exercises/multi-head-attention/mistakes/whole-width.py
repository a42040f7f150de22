def multi_head_attention(x, to_query, to_key, to_value, to_output, heads, mask=None):
    query, key, value = (split(x @ matrix, heads) for matrix in (to_query, to_key, to_value))
    scores = query @ key.mT / x.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    mixed = scores.softmax(dim=-1) @ value
    return mixed.transpose(-3, -2).flatten(-2) @ to_output


def split(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(-3, -2)
