import numpy as np


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    p, g, m, v = (t.numpy() for t in (parameter, gradient, first, second))
    m = np.float32(beta1) * m + np.float32(1 - beta1) * g
    v = np.float32(beta2) * v + np.float32(1 - beta2) * g * g
    p = p - lr * (m / (1 - beta1**step)) / (np.sqrt(v / (1 - beta2**step)) + eps)
    return {"parameter": p.astype(np.float32), "first": m, "second": v}
