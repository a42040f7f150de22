def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    first = beta1 * first + (1 - beta1) * gradient
    second = beta2 * second + (1 - beta2) * gradient.square()
    corrected_first, corrected_second = first / (1 - beta1**step), second / (1 - beta2**step)
    parameter = parameter + lr * corrected_first / (corrected_second.sqrt() + eps)
    return {"parameter": parameter, "first": first, "second": second}
