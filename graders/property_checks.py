"""Whether an output has a property: the further calls that tell, and the comparison of what must be the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from graders.arrays import Array, Numbers, Value, in_float64, python_number
from graders.cases import Inputs
from graders.comparisons import Comparison
from graders.mismatches import Mismatch
from graders.properties import Property
from graders.tensors import compare

# Two calls of one function, or a sum of what it gave, may round differently.
WIDENING: Final = 10.0
_SCALE: Final = 2.0

Pair = tuple[Numbers, Numbers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Further:
    """One more call that a property needs: with other inputs, or with the output of the call before as one of them.

    `at` is the position from which on inputs are changed, or how many things were reordered.
    """

    inputs: Inputs
    fed: int | str | None = None
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """An output lacks a property: `mismatch` compares what is with what must be, or `unfit` says why nothing can be."""

    mismatch: Mismatch | None = None
    unfit: str = ""


class _UnfitError(Exception):
    """The output is not of a form that the property speaks of."""


def further_calls(asked: Property, inputs: Inputs, parameters: Sequence[str]) -> tuple[Further, ...]:
    """The calls, beside that of the case, which tell whether the output has the property; often none.

    An argument that is not given, or has no such axis, leaves nothing to be told.
    """
    if asked.word == "deterministic":
        return (Further(inputs=inputs),)
    places = [_place(name, inputs, parameters) for name in asked.names]
    given = {place: _given(inputs, place) for place in places if place is not None}
    if not given or any(not isinstance(value, Array) for value in given.values()):
        return ()
    if asked.word == "idempotent":
        return (Further(inputs=inputs, fed=places[0]),)
    arrays = {place: value for place, value in given.items() if isinstance(value, Array)}
    return tuple(
        Further(inputs=_with(inputs, {place: _like(array, changed[place]) for place, array in arrays.items()}), at=at)
        for at, changed in _CHANGES[asked.word](asked, arrays)
    )


def violation(
    asked: Property, value: Value, further: Sequence[Value], *, calls: Sequence[Further], comparison: Comparison
) -> Violation | None:
    """How an output lacks the property, or None; `further` are the outputs of `calls`, which `further_calls` made."""
    policy = replace(comparison.widened(WIDENING), equal_nan=asked.word != "finite", dtypes="any")
    try:
        outputs = [list(_arrays(_part(each, asked.path))) for each in (value, *further)]
        if any(len(arrays) != len(outputs[0]) for arrays in outputs):
            raise _UnfitError("The outputs of two calls are not built alike.")
        for arrays in zip(*outputs, strict=True):
            values = [in_float64(array) for array in arrays]
            for actual, expected in _PAIRS[asked.word](asked, values, calls):
                found = compare(_like(arrays[0], actual), _like(arrays[0], expected), policy)
                if found is not None:
                    return Violation(mismatch=found)
    except _UnfitError as error:
        return Violation(unfit=str(error))
    return None


def permutation(length: int) -> Numbers:
    """An order of this many things that is not the given one, the same each time."""
    order = np.random.default_rng(length).permutation(length)
    return np.roll(order, 1) if (order == np.arange(length)).all() else order


def _like(array: Array, values: Numbers) -> Array:
    return replace(array, values=np.asarray(values))


# Inputs of further calls


def _place(name: str, inputs: Inputs, parameters: Sequence[str]) -> int | str | None:
    if name in inputs.kwargs:
        return name
    place = list(parameters).index(name) if name in parameters else len(inputs.args)
    return place if place < len(inputs.args) else None


def _given(inputs: Inputs, place: int | str) -> Value:
    return inputs.args[place] if isinstance(place, int) else inputs.kwargs[place]


def _with(inputs: Inputs, changed: Mapping[int | str, Array]) -> Inputs:
    return replace(
        inputs,
        args=tuple(changed.get(place, value) for place, value in enumerate(inputs.args)),
        kwargs={name: changed.get(name, value) for name, value in inputs.kwargs.items()},
    )


Changed = tuple[int, Mapping[int | str, Numbers]]
Arrays = Mapping[int | str, Array]


def _cuts(length: int) -> list[int]:
    """Positions from which on an input is changed: after the first, and in the middle."""
    return sorted({1, length // 2} & set(range(1, length)))


def _length(asked: Property, arrays: Arrays) -> int:
    """The common length of the arrays along the axis; 0 where there is none."""
    lengths = {
        array.shape[asked.dim] if -len(array.shape) <= asked.dim < len(array.shape) else 0 for array in arrays.values()
    }
    return lengths.pop() if len(lengths) == 1 else 0


def _later_changed(asked: Property, arrays: Arrays) -> Iterator[Changed]:
    for cut in _cuts(_length(asked, arrays)):
        yield cut, {place: _changed_from(array, cut, asked.dim) for place, array in arrays.items()}


def _changed_from(array: Array, cut: int, axis: int) -> Numbers:
    """Other numbers from position `cut` on: 1 − x, or where they may be names of something, that of the first."""
    late = np.arange(array.shape[axis]) >= cut
    late = late.reshape([-1 if place == axis % array.values.ndim else 1 for place in range(array.values.ndim)])
    other = np.take(array.values, [0], axis=axis) if array.is_exact else 1 - array.values
    return np.where(late, other, array.values).astype(array.values.dtype)


def _reordered(asked: Property, arrays: Arrays) -> Iterator[Changed]:
    length = _length(asked, arrays)
    if length > 1:
        order = permutation(length)
        yield length, {place: np.take(array.values, order, axis=asked.dim) for place, array in arrays.items()}


def _shifted(asked: Property, arrays: Arrays) -> Iterator[Changed]:
    yield 0, {place: (array.values + 1).astype(array.values.dtype) for place, array in arrays.items()}


def _scaled(asked: Property, arrays: Arrays) -> Iterator[Changed]:
    yield 0, {place: (array.values * 2).astype(array.values.dtype) for place, array in arrays.items()}


def _negated(asked: Property, arrays: Arrays) -> Iterator[Changed]:
    yield 0, {place: (0 - array.values).astype(array.values.dtype) for place, array in arrays.items()}


_CHANGES: Final[Mapping[str, Callable[[Property, Arrays], Iterator[Changed]]]] = {
    "causal": _later_changed,
    "equivariant": _reordered,
    "invariant": _reordered,
    "shift_invariant": _shifted,
    "homogeneous": _scaled,
    "odd": _negated,
    "even": _negated,
}


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
        if changed.shape != values[0].shape or changed.shape[axis] < call.at:
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
