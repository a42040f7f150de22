"""The further calls that tell whether an output has a property: with other inputs made from those of a case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from graders.arrays import Array, Numbers, Value
from graders.cases import Inputs
from graders.properties import Property


@dataclass(frozen=True, slots=True, kw_only=True)
class Further:
    """One more call that a property needs: with other inputs, or with the output of the call before as one of them.

    `at` is the position from which on inputs are changed, or how many things were reordered.
    """

    inputs: Inputs
    fed: int | str | None = None
    at: int = 0


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
    with np.errstate(all="ignore"):  # What is near the largest number becomes infinite when it is doubled.
        found = list(_CHANGES[asked.word](asked, arrays))
    return tuple(
        Further(inputs=_with(inputs, {place: _like(array, changed[place]) for place, array in arrays.items()}), at=at)
        for at, changed in found
    )


def permutation(length: int) -> Numbers:
    """An order of this many things that is not the given one, the same each time."""
    order = np.random.default_rng(length).permutation(length)
    return np.roll(order, 1) if (order == np.arange(length)).all() else order


def _like(array: Array, values: Numbers) -> Array:
    return replace(array, values=np.asarray(values))


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
