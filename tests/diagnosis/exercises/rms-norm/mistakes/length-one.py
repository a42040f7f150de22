def rms_norm(x, weight, eps=1e-6):
    return x / (x.square().sum(dim=-1, keepdim=True) + x.shape[-1] * eps).sqrt() * weight
