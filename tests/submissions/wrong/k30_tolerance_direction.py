"""A little too large: within the tolerance only if that were taken relative to the output."""


def root_mean_square(x):
    return x.square().mean().sqrt() * 1.01005
