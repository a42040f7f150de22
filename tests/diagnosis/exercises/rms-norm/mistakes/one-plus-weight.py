def rms_norm(x, weight, eps=1e-6):
    return x / (x.square().mean(dim=-1, keepdim=True) + eps).sqrt() * (1 + weight)
