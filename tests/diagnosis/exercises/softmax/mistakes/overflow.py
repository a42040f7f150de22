def softmax(scores):
    weights = scores.exp()
    return weights / weights.sum(dim=-1, keepdim=True)
