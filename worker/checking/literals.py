"""Values written as the code of a case, ready to paste into `cases.py`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from graders.arrays import Array
from worker.sandbox.job import Call, TensorBytes, Value
from worker.values import graders_value

# What `torch.tensor` makes of Python numbers by itself.
_USUAL = frozenset({"float32", "int64", "bool"})


def case_code(call: Call) -> str:
    """The case of this call, as an item of the list that `visible()` or `hidden()` returns."""
    lines = ["{", f'    "name": {_text(call.name)},', '    "args": [']
    lines += [f"        {literal(value)}," for value in call.args]
    lines.append("    ],")
    for field in ("kwargs", "init", "state"):
        value = getattr(call, field)
        if value:
            lines.append(f'    "{field}": {literal(value)},')
    return "\n".join([*lines, "},"])


def literal(value: Value) -> str:
    """Python code of a value; tensors as `torch.tensor(…)`."""
    match value:
        case TensorBytes():
            return _tensor(value)
        case dict():
            return "{" + ", ".join(f"{_text(name)}: {literal(item)}" for name, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(literal, value)) + "]"
        case tuple():
            return "(" + "".join(f"{literal(item)}, " for item in value).strip() + ")"
        case float() if not math.isfinite(value):
            return f'float("{value}")'
        case str():
            return _text(value)
    return repr(value)


def _text(value: str) -> str:
    quoted = repr(value)
    return f'"{value}"' if quoted == f"'{value}'" and '"' not in value else quoted


def _tensor(value: TensorBytes) -> str:
    array = graders_value(value)
    dtype = f"torch.{value.dtype}"
    if not isinstance(array, Array) or not array.values.size:
        return f"torch.zeros({list(value.shape)}, dtype={dtype})"
    items = _nested(array.values)
    made = f"torch.tensor({items})" if value.dtype in _USUAL else f"torch.tensor({items}, dtype={dtype})"
    return f"{made}.numpy()" if value.origin == "numpy" else made


def _nested(values: np.ndarray[Any, np.dtype[Any]]) -> str:
    if values.ndim:
        return "[" + ", ".join(_nested(item) for item in values) + "]"
    number = values.item()
    # The shortest text that gives the number of this precision back.
    return literal(float(str(values)) if isinstance(number, float) else number)
