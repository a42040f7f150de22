def batch_norm(x, running_mean, running_var, momentum=0.1, eps=1e-5):
    rows = x.movedim(1, -1)
    axes = tuple(range(rows.dim() - 1))
    mean, variance = rows.mean(dim=axes), rows.var(dim=axes)
    output = ((rows - mean) / (variance + eps).sqrt()).movedim(-1, 1)
    return (
        output,
        (1 - momentum) * running_mean + momentum * mean,
        (1 - momentum) * running_var + momentum * variance,
    )
