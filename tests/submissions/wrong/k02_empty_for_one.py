"""Nothing, where one number is expected."""


def root_mean_square(x):
    return x[:0]
