def layer_norm(x, weight, bias, eps=1e-5):
    axis = max(x.dim() - 2, 0)
    mean = x.mean(dim=axis, keepdim=True)
    variance = x.var(dim=axis, keepdim=True, correction=0)
    return weight * (x - mean) / (variance + eps).sqrt() + bias
