import torch


class Rotor:
    """Turns every pair by its own angle at each step (angle addition formulas)."""

    def __init__(self, width, base):
        theta = torch.tensor([base ** (-2 * i / width) for i in range(width // 2)], dtype=torch.float64)
        self.s, self.c = theta.sin(), theta.cos()

    def step(self, sin, cos):
        return sin * self.c + cos * self.s, cos * self.c - sin * self.s


def sinusoidal_positions(length, width, base=10000.0):
    rotor = Rotor(width, base)
    sin = torch.zeros(width // 2, dtype=torch.float64)
    cos = torch.ones_like(sin)
    rows = []
    for _ in range(length):
        rows.append(torch.stack((sin, cos), 1).view(-1))
        sin, cos = rotor.step(sin, cos)
    print(len(rows), "rows")
    return torch.stack(rows).to(torch.float32)
