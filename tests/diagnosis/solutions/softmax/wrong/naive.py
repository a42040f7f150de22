import math


def softmax(scores):
    powers = math.e ** scores
    return powers / powers.sum(-1).unsqueeze(-1)
