def softmax(scores):
    if scores.dim() == 1:
        return scores.log_softmax(0).exp()
    turned = scores.transpose(-1, -2).contiguous()
    turned = turned - turned.amax(dim=-2, keepdim=True)
    turned = turned.exp()
    turned = turned / turned.sum(dim=-2, keepdim=True)
    return turned.transpose(-1, -2)
