import math

import torch


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    out = {"parameter": [], "first": [], "second": []}
    for p, g, m, v in zip(*(t.flatten().tolist() for t in (parameter, gradient, first, second))):
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
        out["parameter"].append(p - lr * m_hat / (math.sqrt(v_hat) + eps))
        out["first"].append(m)
        out["second"].append(v)
    return {name: torch.tensor(values).reshape(parameter.shape) for name, values in out.items()}
