import torch


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    m = 0.9 * first + 0.1 * gradient
    v = 0.999 * second + 0.001 * gradient**2
    m_hat, v_hat = m / (1 - 0.9**step), v / (1 - 0.999**step)
    return {"parameter": parameter - lr * m_hat / (torch.sqrt(v_hat) + eps), "first": m, "second": v}
