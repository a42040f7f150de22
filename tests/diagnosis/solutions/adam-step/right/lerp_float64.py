import torch


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    p, g, m, v = (t.double() for t in (parameter, gradient, first, second))
    m = torch.lerp(g, m, beta1)
    v = torch.lerp(g * g, v, beta2)
    size = lr * (1 - beta2**step) ** 0.5 / (1 - beta1**step)
    # eps is scaled along with the root
    p = p - size * m / (v.sqrt() + eps * (1 - beta2**step) ** 0.5)
    print("moved by", (p - parameter).abs().max().item())
    return {"parameter": p.float(), "first": m.float(), "second": v.float()}
