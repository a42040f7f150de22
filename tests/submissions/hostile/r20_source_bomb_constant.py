"""A constant expression that would fold into gigabytes."""

table = ("x" * 4096, "y" * 4096) * 4096 * 4096 * 4096


def row_softmax(x):
    return table
