"""Whether an output has a property: what is compared with what must be the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from graders.arrays import Array, Numbers, Value, in_float64, python_number
from graders.comparisons import ORIGINS, Comparison
from graders.mismatches import Mismatch
from graders.properties import Property
from graders.property_calls import Further, permutation
from graders.tensors import compare, is_of_form

# Two calls of one function, or a sum of what it gave, may round differently.
WIDENING: Final = 10.0
MOST_NUMBERS: Final = 2**22
"""Of an output that nothing is expected of, no more are looked at: each takes many bytes while it is compared."""
_SCALE: Final = 2.0
# What must hold of each number: not-a-number lies within no bounds, and is no larger than another.
_OF_NUMBERS: Final = frozenset({"bounded", "non_negative", "monotone"})

Pair = tuple[Numbers, Numbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """An output lacks a property: `mismatch` compares what is with what must be, or `unfit` says why nothing can be."""

    mismatch: Mismatch | None = None
    unfit: str = ""


class _UnfitError(Exception):
    """The output is not of a form that the property speaks of."""


def violation(
    asked: Property,
    outputs: Sequence[Value],
    *,
    calls: Sequence[Further],
    comparison: Comparison,
    expected: Value = None,
) -> Violation | None:
    """How an output lacks the property, or None; `outputs` are its own, then those of `calls` (`further_calls`).

    Where it is known what is `expected` of the call, an output of another structure, shape or kind of number has no
    property: one without any numbers would have all, and a large one would cost much. Else it must hold some numbers.
    """
    try:
        parts = [_part(output, asked.path) for output in outputs]
        model = parts[0] if expected is None else _part(expected, asked.path)
        if expected is not None and not is_of_form(parts[0], model, comparison):
            raise _UnfitError("The output is not of the form that is expected.")
        arrays = [list(_arrays(part)) for part in (model, *parts)]
        if any(len(each) != len(arrays[0]) for each in arrays):
            raise _UnfitError("The outputs of two calls are not built alike.")
        if expected is None:
            _refuse_extremes(sum(array.values.size for array in arrays[0]))
        with np.errstate(all="ignore"):  # What is not finite is compared as such.
            for reference, *given in zip(*arrays, strict=True):
                found = _difference(asked, given, calls, _policy(asked, given[0], reference, comparison))
                if found is not None:
                    return Violation(mismatch=found)
    except _UnfitError as error:
        return Violation(unfit=str(error))
    return None


def _refuse_extremes(numbers: int) -> None:
    if not numbers:
        raise _UnfitError("The output holds no numbers.")
    if numbers > MOST_NUMBERS:
        raise _UnfitError(f"The output holds more than {MOST_NUMBERS:,} numbers.")


def _policy(asked: Property, actual: Array, reference: Array, comparison: Comparison) -> Comparison:
    """How numbers in float64 are compared, by the tolerance that holds for such an output of the reference."""
    rtol, atol = comparison.widened(WIDENING).tolerance(actual, reference)
    equal_nan = comparison.equal_nan if asked.word in _OF_NUMBERS else asked.word != "finite"
    return Comparison(rtol=rtol, atol=atol, dtypes="any", allow=ORIGINS, equal_nan=equal_nan)


def _difference(
    asked: Property, arrays: Sequence[Array], calls: Sequence[Further], policy: Comparison
) -> Mismatch | None:
    """Where an array lacks the property; `arrays` are that of the output, then those of further calls."""
    first = arrays[0]
    for array in arrays[1:]:
        if array.shape != first.shape:
            return compare(array, first, policy)
    for actual, expected in _PAIRS[asked.word](asked, [in_float64(array) for array in arrays], calls):
        found = compare(_computed(actual), _computed(expected), policy)
        if found is not None:
            actual_form, expected_form = (replace(side, dtype=first.dtype) for side in (found.actual, found.expected))
            return replace(found, actual=actual_form, expected=expected_form)
    return None


def _computed(values: Numbers) -> Array:
    return Array(dtype="complex128" if np.iscomplexobj(values) else "float64", values=values)


# What must be the same: pairs of what is and what must be


def _part(value: Value, path: tuple[int | str, ...]) -> Value:
    for step in path:
        match step, value:
            case int(), list() | tuple() if -len(value) <= step < len(value):
                value = value[step]
            case str(), dict() if step in value:
                value = value[step]
            case _:
                raise _UnfitError("The output has no such part.")
    return value


def _arrays(value: Value) -> Iterator[Array]:
    """The arrays of a nested output, dictionaries by name."""
    if isinstance(value, Array):
        yield value
    elif isinstance(value, dict):
        for name in sorted(value):
            yield from _arrays(value[name])
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _arrays(item)
    elif isinstance(value, int | float | complex):
        yield python_number(value)
    else:
        raise _UnfitError("The output holds something else than tensors and numbers.")


def _axis(values: Numbers, dim: int) -> int:
    if not -values.ndim <= dim < values.ndim:
        raise _UnfitError(f"The output has no axis {dim}.")
    return dim


def _is_real(values: Numbers) -> Numbers:
    if np.iscomplexobj(values):
        raise _UnfitError("The output holds complex numbers.")
    return values


def _sums(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    sums = values[0].sum(axis=_axis(values[0], asked.dim))
    yield np.asarray(sums), np.full_like(sums, asked.numbers["total"])


def _bounds(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    real = _is_real(values[0])
    yield real, np.clip(real, asked.numbers["low"], asked.numbers["high"])


def _non_negative(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    real = _is_real(values[0])
    yield real, np.maximum(real, 0)


def _finite(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    yield values[0], np.where(np.isfinite(values[0]), values[0], 0)


def _symmetric(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    _axis(values[0], -2)
    yield values[0], np.swapaxes(values[0], -1, -2)


def _orthonormal(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    _axis(values[0], -2)
    rows = np.moveaxis(values[0], _axis(values[0], asked.dim), -1)
    if rows.shape[-2] > rows.shape[-1]:
        raise _UnfitError("More vectors than each has elements cannot be orthonormal.")
    products = rows @ np.swapaxes(rows.conj(), -1, -2)
    yield products, np.broadcast_to(np.eye(products.shape[-1]), products.shape)


def _unit_norm(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    norms = np.sqrt((np.abs(values[0]) ** 2).sum(axis=_axis(values[0], asked.dim)))
    yield np.asarray(norms), np.ones_like(norms)


def _monotone(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    real = _is_real(values[0])
    yield real, np.maximum.accumulate(real, axis=_axis(real, asked.dim))


def _earlier(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    for call, changed in zip(calls, values[1:], strict=True):
        axis = _axis(values[0], asked.dim)
        if changed.shape[axis] < call.at:
            raise _UnfitError("The output does not have a place for each position.")
        yield np.take(changed, np.arange(call.at), axis=axis), np.take(values[0], np.arange(call.at), axis=axis)


def _reordered_alike(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    for call, changed in zip(calls, values[1:], strict=True):
        axis = _axis(values[0], asked.dim)
        if values[0].shape[axis] != call.at:
            raise _UnfitError("The output does not have a place for each position.")
        yield changed, np.take(values[0], permutation(call.at), axis=axis)


def _same(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    for changed in values[1:]:
        yield changed, values[0]


def _opposite(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    for changed in values[1:]:
        yield changed, -values[0]


def _power(asked: Property, values: Sequence[Numbers], calls: Sequence[Further]) -> Iterator[Pair]:
    for changed in values[1:]:
        yield changed, values[0] * _SCALE ** asked.numbers["degree"]


_PAIRS: Final[Mapping[str, Callable[[Property, Sequence[Numbers], Sequence[Further]], Iterator[Pair]]]] = {
    "sums_to": _sums,
    "bounded": _bounds,
    "non_negative": _non_negative,
    "finite": _finite,
    "symmetric": _symmetric,
    "orthonormal": _orthonormal,
    "unit_norm": _unit_norm,
    "monotone": _monotone,
    "deterministic": _same,
    "causal": _earlier,
    "equivariant": _reordered_alike,
    "invariant": _same,
    "shift_invariant": _same,
    "homogeneous": _power,
    "odd": _opposite,
    "even": _same,
    "idempotent": _same,
}
