from dataclasses import dataclass

import torch


@dataclass
class Average:
    value: torch.Tensor
    beta: float

    def update(self, new):
        self.value = self.value + (1 - self.beta) * (new - self.value)

    def corrected(self, step):
        return self.value / (1 - self.beta**step)


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    m, v = Average(first, beta1), Average(second, beta2)
    m.update(gradient)
    v.update(gradient**2)
    direction = m.corrected(step) / (torch.sqrt(v.corrected(step)) + eps)
    return dict(parameter=torch.sub(parameter, direction, alpha=lr), first=m.value, second=v.value)
