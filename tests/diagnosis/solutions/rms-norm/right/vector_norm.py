import torch


def rms_norm(x, weight, eps=1e-6):
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    rms = (length**2 / x.shape[-1] + eps) ** 0.5
    print(f"rms between {rms.min():.3f} and {rms.max():.3f}")
    return torch.mul(weight, torch.div(x, rms))
