"""Values that a worker made showable (`{"dtype", "shape", "values"}` for a tensor) as text."""

from __future__ import annotations

import math
from typing import Any

TENSOR_FIELDS = {"dtype", "shape", "values"}
LONGEST_TEXT = 20_000


def is_tensor(value: Any) -> bool:
    """Whether a showable value stands for a tensor; `values` of a large one is None."""
    return isinstance(value, dict) and value.keys() == TENSOR_FIELDS


def number_text(value: Any) -> str:
    """A number in at most four digits; whole numbers in all of theirs."""
    if isinstance(value, bool) or not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "NaN"
    return f"{value:.4g}"


def text_of(value: Any) -> str:
    """A showable value as a reader of PyTorch would write it, within a cap."""
    text = _text(value, indent=0)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]} …"


def form_of(value: Any) -> str:
    """What a value is: dtype and shape of a tensor; nothing for other values."""
    return f"{value['dtype']} {value['shape']}" if is_tensor(value) else ""


def _text(value: Any, *, indent: int) -> str:
    if is_tensor(value):
        if value["values"] is None:
            return f"(too large to show: {form_of(value)})"
        return _nested(value["values"], width=_width(value["values"]), indent=indent)
    if isinstance(value, dict):
        inner = [f"{name!r}: {_text(item, indent=indent + len(repr(name)) + 3)}" for name, item in value.items()]
        return "{" + f",\n{' ' * (indent + 1)}".join(inner) + "}"
    if isinstance(value, list):
        return "(" + f",\n{' ' * (indent + 1)}".join(_text(item, indent=indent + 1) for item in value) + ")"
    return repr(value) if isinstance(value, str) else number_text(value)


def _width(values: Any) -> int:
    if isinstance(values, list):
        return max((_width(item) for item in values), default=0)
    return len(number_text(values))


def _nested(values: Any, *, width: int, indent: int) -> str:
    if not isinstance(values, list):
        return number_text(values).rjust(width)
    if not values or not isinstance(values[0], list):
        return "[" + ", ".join(number_text(item).rjust(width) for item in values) + "]"
    # A blank line between matrices, as torch prints them.
    gap = ",\n\n" if isinstance(values[0], list) and values[0] and isinstance(values[0][0], list) else ",\n"
    return "[" + f"{gap}{' ' * (indent + 1)}".join(_nested(row, width=width, indent=indent + 1) for row in values) + "]"
