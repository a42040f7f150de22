import torch


def sgd_step(parameter, gradient, velocity, lr, momentum=0.9, weight_decay=0.0, nesterov=False):
    # the step is linear in (p, g, v): write it as one matrix
    v_row = torch.tensor([weight_decay, 1.0, momentum], dtype=torch.float64)
    g_row = torch.tensor([weight_decay, 1.0, 0.0], dtype=torch.float64)
    step = g_row + momentum * v_row if nesterov else v_row
    p_row = torch.tensor([1.0, 0.0, 0.0], dtype=torch.float64) - lr * step
    print(p_row, v_row)
    state = torch.stack([parameter, gradient, velocity], dim=-1).double()
    new = (state @ torch.stack([p_row, v_row], dim=1)).float()
    return new[..., 0], new[..., 1]
