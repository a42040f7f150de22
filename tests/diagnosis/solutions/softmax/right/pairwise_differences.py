def softmax(scores):
    # 1 / sum_j exp(x_j - x_i); exp may become inf here, and 1 / inf is the right 0
    differences = (scores.unsqueeze(-2) - scores.unsqueeze(-1)).clamp(max=80)
    return 1 / differences.exp().sum(-1)
