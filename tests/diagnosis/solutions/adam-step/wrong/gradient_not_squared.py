import torch


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    m = torch.lerp(first, gradient, 1 - beta1)
    v = torch.lerp(second, gradient.abs(), 1 - beta2)
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return {"parameter": parameter - lr * m_hat / (torch.sqrt(v_hat) + eps), "first": m, "second": v}
