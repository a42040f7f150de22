"""An ellipsis."""


def row_softmax(x):
    return ...
