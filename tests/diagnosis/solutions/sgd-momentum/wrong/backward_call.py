def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    parameter.grad.add_(weight_decay * parameter)
    velocity = momentum * velocity + parameter.grad
    step = parameter.grad + momentum * velocity if nesterov else velocity
    return parameter - lr * step, velocity
