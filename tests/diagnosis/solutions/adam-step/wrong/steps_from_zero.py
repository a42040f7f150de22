import torch


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    m = torch.lerp(first, gradient, 1 - beta1)
    v = torch.lerp(second, gradient**2, 1 - beta2)
    t = step - 1
    m_hat = m / torch.tensor(1 - beta1**t)
    v_hat = v / torch.tensor(1 - beta2**t)
    return {"parameter": parameter - lr * m_hat / (torch.sqrt(v_hat) + eps), "first": m, "second": v}
