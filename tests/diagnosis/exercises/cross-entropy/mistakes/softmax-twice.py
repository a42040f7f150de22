def cross_entropy(logits, target):
    return -logits.softmax(dim=-1).log_softmax(dim=-1).gather(-1, target[:, None]).mean()
