def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    p, g, v = parameter.half(), gradient.half(), velocity.half()
    g = g + weight_decay * p
    v = momentum * v + g
    step = g + momentum * v if nesterov else v
    return (p - lr * step).float(), v.float()
