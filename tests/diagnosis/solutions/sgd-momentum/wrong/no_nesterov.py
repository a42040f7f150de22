def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    velocity = momentum * velocity + gradient + weight_decay * parameter
    return parameter - lr * velocity, velocity
