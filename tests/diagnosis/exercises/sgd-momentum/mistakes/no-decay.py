def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    velocity = momentum * velocity + gradient
    direction = gradient + momentum * velocity if nesterov else velocity
    return parameter - lr * direction, velocity
