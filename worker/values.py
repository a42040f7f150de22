"""Values of the sandbox's border as values of the graders, and as JSON to be shown to students."""

from __future__ import annotations

import math
from typing import Any, Final, Literal, cast

from graders import arrays
from worker.sandbox.job import TensorBytes, Unsupported, Value

SHOWN_ELEMENTS: Final = 1024


def graders_value(value: Value) -> arrays.Value:
    """The same value for comparing: bytes become numpy views, containers keep their form."""
    if isinstance(value, TensorBytes):
        return arrays.from_bytes(value.dtype, value.shape, value.data, origin=value.origin)
    if isinstance(value, Unsupported):
        return arrays.Unsupported(kind=value.kind)
    if isinstance(value, dict):
        return {name: graders_value(item) for name, item in value.items()}
    if isinstance(value, list):
        return [graders_value(item) for item in value]
    if isinstance(value, tuple):
        return tuple(graders_value(item) for item in value)
    return value


def border_value(value: arrays.Value) -> Value:
    """The value of the border that `graders_value` makes this of."""
    if isinstance(value, arrays.Array):
        origin: Literal["torch", "numpy"] = "numpy" if value.origin == "numpy" else "torch"
        return TensorBytes(dtype=value.dtype, shape=value.shape, data=arrays.to_bytes(value), origin=origin)
    if isinstance(value, arrays.Unsupported):
        return Unsupported(kind=value.kind)
    if isinstance(value, dict):
        return {name: border_value(item) for name, item in value.items()}
    if isinstance(value, list):
        return [border_value(item) for item in value]
    if isinstance(value, tuple):
        return tuple(border_value(item) for item in value)
    return value


def shown(value: Value) -> Any:
    """JSON of the value: a tensor as `{"dtype", "shape", "values"}` with nested lists, or None if it is too large.

    What JSON has no form for is text: complex numbers, NaN and infinities.
    """
    if isinstance(value, TensorBytes):
        return _shown_array(value)
    if isinstance(value, Unsupported):
        return value.kind
    if isinstance(value, dict):
        return {name: shown(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [shown(item) for item in value]
    return _shown_number(value)


def _shown_array(value: TensorBytes) -> Any:
    array = arrays.from_bytes(value.dtype, value.shape, value.data, origin=value.origin)
    if isinstance(array, arrays.Unsupported):
        return array.kind
    few = array.values.size <= SHOWN_ELEMENTS
    values = _shown_numbers(cast("list[Any] | complex", array.values.tolist())) if few else None
    return {"dtype": value.dtype, "shape": list(value.shape), "values": values}


def _shown_numbers(values: list[Any] | complex) -> Any:
    return [_shown_numbers(item) for item in values] if isinstance(values, list) else _shown_number(values)


def _shown_number(value: complex | str | None) -> Any:
    if isinstance(value, complex):
        return str(value)
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
