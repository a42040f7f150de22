def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    g = gradient.clone().add_(parameter, alpha=weight_decay)
    v = velocity.clone().mul_(momentum).add_(g)
    if nesterov:
        g.add_(v, alpha=momentum)
    else:
        g = v
    return [parameter.clone().sub_(g, alpha=lr), v]
