"""One catastrophic regular expression."""

import re


def row_softmax(x):
    return re.match(r"(a+)+$", "a" * 60 + "b")
