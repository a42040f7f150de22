def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    gradient = gradient + weight_decay * parameter
    v = momentum * velocity + gradient
    step = gradient + momentum * v if nesterov else v
    return parameter - lr * step, velocity
