import torch


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    p = torch.nn.Parameter(parameter.clone())
    p.grad = gradient.clone()
    opt = torch.optim.SGD([p], lr=lr, momentum=momentum, weight_decay=weight_decay, nesterov=nesterov)
    opt.state[p]["momentum_buffer"] = velocity.clone()
    opt.step()
    return p, opt.state[p]["momentum_buffer"]
