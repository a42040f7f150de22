"""Arrays for tests, written short."""

import math

import numpy as np

from graders.arrays import Array, Unsupported


def tensor(values, dtype="float32", *, origin="torch"):
    holding = {"bfloat16": "float32", "complex32": "complex64"}.get(dtype, dtype)
    return Array(dtype=dtype, values=np.asarray(values, dtype=holding), origin=origin)


# What stands for a value in the examples of a page.
NAMES = {
    "tensor": tensor,
    "array": lambda values: tensor(values, origin="numpy"),
    "generator": Unsupported(kind="a generator"),
    "sparse": Unsupported(kind="a sparse tensor"),
    "nan": math.nan,
    "inf": math.inf,
}
