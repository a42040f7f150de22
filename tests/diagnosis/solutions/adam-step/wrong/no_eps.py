import torch


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    m = torch.lerp(first, gradient, 1 - beta1)
    v = torch.lerp(second, gradient**2, 1 - beta2)
    update = (m / (1 - beta1**step)) / torch.sqrt(v / (1 - beta2**step))
    return {"parameter": parameter - lr * update, "first": m, "second": v}
