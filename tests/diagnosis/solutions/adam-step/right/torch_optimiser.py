import torch


def adam_step(parameter, gradient, first, second, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-8):
    p = parameter.clone().requires_grad_()
    p.grad = gradient.clone()
    optimiser = torch.optim.Adam([p], lr=lr, betas=(beta1, beta2), eps=eps)
    optimiser.state[p] = {"step": torch.tensor(float(step - 1)), "exp_avg": first.clone(), "exp_avg_sq": second.clone()}
    optimiser.step()
    state = optimiser.state[p]
    return {"second": state["exp_avg_sq"], "first": state["exp_avg"], "parameter": p}
