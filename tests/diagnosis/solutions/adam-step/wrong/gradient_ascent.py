def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    m, v = first.clone(), second.clone()
    m.mul_(beta1).add_(gradient, alpha=1 - beta1)
    v.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
    denominator = (v / (1 - beta2**step)).sqrt().add_(eps)
    return {"parameter": parameter.addcdiv(m, denominator, value=lr / (1 - beta1**step)), "first": m, "second": v}
