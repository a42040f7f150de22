import torch


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    first = torch.lerp(first, gradient, 1 - beta1)
    second = torch.lerp(second, gradient**2, 1 - beta2)
    m_hat, v_hat = first / (1 - beta1**step), second / (1 - beta2**step)
    parameter = parameter - lr * m_hat / (torch.sqrt(v_hat) + eps)
