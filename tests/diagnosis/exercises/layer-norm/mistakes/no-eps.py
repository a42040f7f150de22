def layer_norm(x, weight, bias, eps=1e-5):
    return (x - x.mean(dim=-1, keepdim=True)) / x.std(dim=-1, keepdim=True, correction=0) * weight + bias
