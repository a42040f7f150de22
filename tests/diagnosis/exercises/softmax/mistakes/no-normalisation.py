def softmax(scores):
    return (scores - scores.amax(dim=-1, keepdim=True)).exp()
