import torch


def rotate(x, base=10000.0):
    d = x.shape[-1]
    rate = base ** (-torch.arange(0, d, 2) / d)
    rows = []
    for p, row in enumerate(x):
        turn = torch.polar(torch.ones(d // 2), p * rate)
        z = torch.view_as_complex(row.unflatten(-1, (-1, 2)).contiguous())
        rows.append(torch.view_as_real(z * turn).flatten(-2))
    return torch.stack(rows)
