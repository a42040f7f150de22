def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    first.mul_(beta1).add_((1 - beta1) * gradient)
    second.mul_(beta2).add_((1 - beta2) * gradient * gradient)
    m_hat = first / (1 - beta1**step)
    v_hat = second / (1 - beta2**step)
    parameter -= lr * m_hat / (v_hat.sqrt() + eps)
    return {"parameter": parameter, "first": first, "second": second}
