def softmax(scores):
    weights = (scores - scores.max()).exp()
    return weights / weights.sum()
