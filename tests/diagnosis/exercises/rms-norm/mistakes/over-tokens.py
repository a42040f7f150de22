def rms_norm(x, weight, eps=1e-6):
    return x / (x.square().mean(dim=-2, keepdim=True) + eps).sqrt() * weight
