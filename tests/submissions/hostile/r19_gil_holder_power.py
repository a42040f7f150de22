"""One giant integer power, which never lets go of the interpreter."""


def row_softmax(x):
    return 7 ** (7**10)
