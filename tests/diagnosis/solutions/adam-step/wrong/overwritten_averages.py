import torch


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    state = {"first": torch.lerp(gradient, first, beta1), "second": torch.lerp(gradient**2, second, beta2)}
    for name, beta in (("first", beta1), ("second", beta2)):
        state[name] = state[name] / (1 - beta**step)
    state["parameter"] = parameter - lr * state["first"] / (state["second"] ** 0.5 + eps)
    return state
