def cross_entropy(logits, target):
    exponentials = logits.exp()
    probabilities = exponentials / exponentials.sum(dim=-1, keepdim=True)
    return -probabilities.gather(-1, target[:, None]).log().mean()
