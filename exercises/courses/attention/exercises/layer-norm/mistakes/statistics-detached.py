def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.detach().mean(dim=-1, keepdim=True)
    variance = (x.detach() - mean).square().mean(dim=-1, keepdim=True)
    return weight * (x - mean) / (variance + eps).sqrt() + bias
