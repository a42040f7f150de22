def layer_norm(x, weight, bias, eps=1e-5):
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - x.mean(dim=-1, keepdim=True)) / (variance + eps).sqrt() * weight
