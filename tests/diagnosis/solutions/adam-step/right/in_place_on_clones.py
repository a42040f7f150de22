def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    p, m, v = parameter.clone(), first.clone(), second.clone()
    m.mul_(beta1).add_(gradient, alpha=1 - beta1)
    v.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
    denominator = v.sqrt().div_((1 - beta2**step) ** 0.5).add_(eps)
    p.addcdiv_(m, denominator, value=-lr / (1 - beta1**step))
    return {"parameter": p, "first": m, "second": v}
