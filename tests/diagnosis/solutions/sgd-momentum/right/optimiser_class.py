import torch


class SGD:
    def __init__(self, lr, momentum, weight_decay, nesterov):
        self.lr, self.mu, self.decay, self.nesterov = lr, momentum, weight_decay, nesterov

    @torch.no_grad()
    def __call__(self, p, g, v):
        g = torch.add(g, p, alpha=self.decay)
        v = torch.add(g, v, alpha=self.mu)
        step = torch.where(torch.tensor(self.nesterov), g + self.mu * v, v)
        return torch.sub(p, step, alpha=self.lr), v


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    return SGD(lr, momentum, weight_decay, nesterov)(parameter, gradient, velocity)
