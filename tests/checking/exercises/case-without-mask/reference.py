def masked_softmax(scores, mask):
    hidden = scores.masked_fill(~mask, float("-inf"))
    return hidden.softmax(dim=-1)
