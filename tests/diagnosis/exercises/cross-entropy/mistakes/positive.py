def cross_entropy(logits, target):
    return logits.log_softmax(dim=-1).gather(-1, target[:, None]).mean()
