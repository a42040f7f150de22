def softmax(scores):
    return scores / scores.sum(dim=-1, keepdim=True)
