def masked_softmax(scores, mask):
    return scores.masked_fill(~mask, float("-inf")).softmax(dim=0)
