"""Checks that answers without any merit are refused: nothing, zeros, the input handed back, and the like."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from graders.arrays import Array, Numbers, Value, in_float64, nearest_float
from graders.cases import Case, Given, Key, Returned
from graders.tensors import compare
from worker.checking.drawing import Material
from worker.checking.findings import Check, Finding
from worker.checking.trials import refusing_case, try_solution

Straw = Callable[[Case], Value]
# With these a value stays what it is where the change cannot be seen in it; then they are right, as predictions are
# that are a little off.
_HARMLESS: Final = frozenset({"truncated", "transposed", "permuted", "in half precision", "a numpy array"})


def straw_man_findings(material: Material) -> Iterator[Finding]:
    """The straw men that are accepted, and the starter if it is. Raises: SandboxError (ours)."""
    key = material.made.key
    for name, straw in straw_men(key):
        values = [straw(case) for case in key.cases]
        if name in _HARMLESS and (material.is_training or _are_right(key, values)):
            continue
        given = [_given(case, value) for case, value in zip(key.cases, values, strict=True)]
        if not refusing_case(key, given):
            yield _finding(f"an answer is accepted that is {name}. {_advice(key)}")
            # One is enough: the others are accepted for the same reason.
            break
    request = material.made.request("starter", material.exercise, material.source("starter.py"), lane="regrade")
    if try_solution(material.runner, request, key).is_accepted:
        yield _finding("is accepted as it stands", file="starter.py")


def _finding(message: str, *, file: str = "") -> Finding:
    return Finding(check=Check.STRAW_MEN, message=message, file=file)


def _advice(key: Key) -> str:
    floats = [case.expected for case in key.cases if isinstance(case.expected, Array) and not case.expected.is_exact]
    sizes = [float(np.abs(in_float64(array)).max(initial=0)) for array in floats]
    largest = f"expected values reach {max(sizes):.2g}" if sizes else "look at the expected values"
    return f"Compare more closely, or let cases expect more than that ({largest})"


def straw_men(key: Key) -> Iterator[tuple[str, Straw]]:
    """Name and making of each straw man for these cases; the harmless ones give back what they cannot change."""
    yield "nothing at all (None)", lambda case: None
    yield "all zeros", partial(_filled, number=0)
    yield "all ones", partial(_filled, number=1)
    first = _first_number(key.cases[0].expected)
    yield f"the constant {first:.4g}", partial(_filled, number=first)
    yield "all NaN", partial(_filled, number=float("nan"))
    for place in range(max(len(case.inputs.args) for case in key.cases)):
        yield f"argument {place + 1} as it came", partial(_echoed, place=place)
    if any(not case.visible for case in key.cases):
        yield "the first expected output for every input", partial(_remembered, value=key.cases[0].expected)
    yield "truncated", partial(_changed, change=_truncated)
    yield "transposed", partial(_changed, change=_transposed)
    yield "permuted", partial(_changed, change=_permuted)
    if not _takes_half(key):
        yield "in half precision", partial(_changed, change=_halved)
    if "numpy" not in key.comparison.allow and any(isinstance(case.expected, Array) for case in key.cases):
        yield "a numpy array", partial(_changed, change=_as_numpy)


def _takes_half(key: Key) -> bool:
    return isinstance(key.comparison.dtypes, tuple) and not {"float16", "bfloat16"}.isdisjoint(key.comparison.dtypes)


def _are_right(key: Key, values: list[Value]) -> bool:
    exact = replace(key.comparison, rtol=0.0, atol=0.0)
    return all(compare(value, case.expected, exact) is None for case, value in zip(key.cases, values, strict=True))


def _given(case: Case, value: Value) -> Given:
    """The value with arguments left alone, and without any gradient."""
    gradients = None if case.gradients is None else dict.fromkeys(case.gradients)
    return Returned(value=value, after=case.inputs, gradients=gradients)


def _filled(case: Case, *, number: float) -> Value:
    return _mapped(case.expected, partial(_all, number=number), number)


def _all(array: Array, *, number: float) -> Array:
    if array.is_exact:
        number = number if math.isfinite(number) else 0
    return replace(array, values=np.full(array.shape, number).astype(array.values.dtype))


def _changed(case: Case, *, change: Callable[[Array], Array]) -> Value:
    return _mapped(case.expected, change, None)


def _mapped(value: Value, change: Callable[[Array], Array], number: float | None) -> Value:
    """The value with every array in it changed, and every number, where one is given, in its place."""
    if isinstance(value, Array):
        return change(value)
    if isinstance(value, Mapping):
        return {name: _mapped(item, change, number) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_mapped(item, change, number) for item in value]
    if isinstance(value, str) and number is not None:
        return f"{number:g}" if number else ""
    if isinstance(value, int | float | complex) and number is not None:
        is_whole = isinstance(value, int) and np.isfinite(number)
        return type(value)(number) if is_whole else number
    return value


def _first_number(value: Value) -> float:
    if isinstance(value, Array):
        return float(np.real(in_float64(value)).flat[0]) if value.values.size else 0.0
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return _first_number(value[0]) if value else 0.0
    return nearest_float(value) if isinstance(value, int | float) else 0.0


def _echoed(case: Case, *, place: int) -> Value:
    return case.inputs.args[place] if place < len(case.inputs.args) else None


def _remembered(case: Case, *, value: Value) -> Value:
    return case.expected if case.visible else value


def _truncated(array: Array) -> Array:
    values = array.values[..., :-1] if array.values.ndim else array.values
    return replace(array, values=values)


def _transposed(array: Array) -> Array:
    return replace(array, values=array.values.swapaxes(-1, -2)) if array.values.ndim > 1 else array


def _permuted(array: Array) -> Array:
    return replace(array, values=np.roll(array.values, 1, axis=0)) if array.values.ndim else array


def _halved(array: Array) -> Array:
    if array.kind != "float":
        return array
    with np.errstate(over="ignore"):
        halved: Numbers = array.values.astype(np.float16).astype(array.values.dtype)
    return replace(array, values=halved)


def _as_numpy(array: Array) -> Array:
    return replace(array, origin="numpy")
