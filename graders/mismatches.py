"""How an output differs from the expected one, as a value. Words are made from it in `feedback`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from graders.arrays import Array, Numbers, Unsupported, Value, difference, in_float64, python_number
from graders.outcomes import Stage

Index = tuple[int, ...]
Number = bool | int | float | complex
MAP_CELLS: Final = 32
FIRST_PAIRS: Final = 5
BLOCK: Final = 2**18
LONGEST_NOUN: Final = 120
_ODD_CHARACTERS: Final = str.maketrans("", "", "<>&\"'`\\")


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a value is: `noun` in words ("a tensor"), and its shape and dtype where it is an array.

    `names` are the keys of a dictionary, `length` is that of a list or tuple.
    """

    noun: str
    shape: Index | None = None
    dtype: str = ""
    names: tuple[str, ...] = ()
    length: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One element of both sides; a text or a number."""

    index: Index
    actual: Number | str
    expected: Number | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """Actual − expected over the last two axes at `leading`, pooled by largest magnitude to at most 32 × 32 cells.

    `cells` are rows of numbers; None where a difference is no number. `limit` is the largest magnitude.
    """

    leading: Index
    shape: tuple[int, int]
    cells: tuple[tuple[float | None, ...], ...]
    limit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """The first stage at which an output differs, and the first place in it (`path`, as in `["mean"][0]`).

    In the stages nan and values `wrong` of `total` elements differ, `worst` is the one that differs most, errors are
    the largest over the wrong ones (None where there is none that is a number). `only` gives, for each axis, the one
    index that all wrong elements share, or None. `others` are further paths at which
    the same stage fails; `allowed` names dtypes that would have been taken.
    """

    stage: Stage
    path: str
    actual: Description
    expected: Description
    wrong: int = 0
    total: int = 0
    worst: Pair | None = None
    max_absolute_error: float | None = None
    max_relative_error: float | None = None
    pairs: tuple[Pair, ...] = ()
    only: tuple[int | None, ...] = ()
    difference_map: Map | None = None
    others: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()

    @property
    def share_wrong(self) -> float:
        """From 0 to 1."""
        return self.wrong / self.total if self.total else 0.0


def describe(value: Value) -> Description:
    """What `value` is, without looking deeper than its outermost layer."""
    if isinstance(value, Array):
        noun = {"torch": "a tensor", "numpy": "a numpy array"}.get(value.origin, f"a Python {value.dtype}")
        return Description(noun=noun, shape=value.shape, dtype=value.dtype)
    if isinstance(value, Unsupported):
        # The words come from the run: they are shown as words, never as markup, and never at length.
        return Description(noun=value.kind.translate(_ODD_CHARACTERS)[:LONGEST_NOUN] or "an object")
    if isinstance(value, int | float | complex):
        return describe(python_number(value))
    if isinstance(value, dict):
        return Description(noun="a dictionary", names=tuple(value))
    if isinstance(value, list | tuple):
        return Description(noun=f"a {type(value).__name__}", length=len(value))
    return Description(noun="None" if value is None else "a text")


def elementwise(stage: Stage, path: str, actual: Array, expected: Array, *, wrong: Numbers) -> Mismatch:
    """The mismatch of two arrays of one shape that differ where `wrong` (bool, same shape, somewhere true) holds."""
    errors = _errors(actual, expected, wrong)
    worst = _place(errors.worst, wrong.shape)
    return Mismatch(
        stage=stage,
        path=path,
        actual=describe(actual),
        expected=describe(expected),
        wrong=int(np.count_nonzero(wrong)),
        total=int(wrong.size),
        worst=_pair(worst, actual, expected),
        max_absolute_error=errors.absolute,
        max_relative_error=errors.relative,
        pairs=tuple(_pair(_place(place, wrong.shape), actual, expected) for place in errors.first),
        only=_shared(wrong),
        difference_map=_difference_map(actual, expected, worst),
    )


@dataclass(slots=True, kw_only=True)
class _Errors:
    """What the wrong elements show, by their places in C order; errors are None where none is a number."""

    first: list[int] = field(default_factory=list)
    worst: int = 0
    absolute: float | None = None
    relative: float | None = None


def _errors(actual: Array, expected: Array, wrong: Numbers) -> _Errors:
    """Goes through the elements a block at a time: a large output must not cost many times its size."""
    found, largest = _Errors(), -1.0
    flat = [values.reshape(-1) for values in (actual.values, expected.values, wrong)]
    for start in range(0, wrong.size, BLOCK):
        theirs, ours, astray = (values[start : start + BLOCK] for values in flat)
        places = np.flatnonzero(astray)
        if not places.size:
            continue
        one, other = replace(actual, values=theirs[places]), replace(expected, values=ours[places])
        magnitude = np.abs(difference(one, other))
        with np.errstate(all="ignore"):
            relative = magnitude / np.abs(in_float64(other))
        sizes = np.nan_to_num(magnitude, nan=np.inf)
        if sizes.max() > largest:
            found.worst, largest = start + int(places[sizes.argmax()]), float(sizes.max())
        found.first += [start + int(place) for place in places[: FIRST_PAIRS - len(found.first)]]
        found.absolute = _largest(magnitude, found.absolute)
        found.relative = _largest(relative, found.relative)
    return found


def _place(place: int, shape: Index) -> Index:
    return tuple(int(part) for part in np.unravel_index(place, shape))


def _shared(wrong: Numbers) -> tuple[int | None, ...]:
    """For each axis the one index that all wrong elements share."""
    axes = range(wrong.ndim)
    touched = [np.flatnonzero(wrong.any(axis=tuple(other for other in axes if other != axis))) for axis in axes]
    return tuple(
        int(places[0]) if len(places) == 1 and length > 1 else None
        for places, length in zip(touched, wrong.shape, strict=True)
    )


def _pair(index: Index, actual: Array, expected: Array) -> Pair:
    return Pair(index=index, actual=actual.values.item(index), expected=expected.values.item(index))


def _largest(errors: Numbers, before: float | None) -> float | None:
    numbers = errors[np.isfinite(errors)]
    if not numbers.size:
        return before
    return max(float(numbers.max()), before or 0.0)


def _difference_map(actual: Array, expected: Array, worst: Index) -> Map | None:
    if not worst:
        return None
    leading = worst[:-2]
    planes = [replace(side, values=np.atleast_2d(np.asarray(side.values[leading]))) for side in (actual, expected)]
    pooled = _pooled(planes[0], planes[1])
    finite = pooled[np.isfinite(pooled)]
    cells = tuple(tuple(float(cell) if np.isfinite(cell) else None for cell in row) for row in pooled)
    limit = float(np.abs(finite).max()) if finite.size else 0.0
    rows, columns = planes[0].shape
    return Map(leading=leading, shape=(rows, columns), cells=cells, limit=limit)


def _pooled(actual: Array, expected: Array) -> Numbers:
    """Of each block of a plane the difference of largest magnitude, with its sign; NaN where a block holds one."""
    if actual.values.size <= BLOCK:
        plane = _real(difference(actual, expected))
        return _farthest(_farthest(plane, axis=0, cells=MAP_CELLS), axis=1, cells=MAP_CELLS)
    along = int(np.argmax(actual.shape))
    cuts = _starts(actual.shape[along], MAP_CELLS)[1:]
    strips = zip(*(np.split(side.values, cuts, axis=along) for side in (actual, expected)), strict=True)
    pooled = []
    for theirs, ours in strips:
        strip = _real(difference(replace(actual, values=theirs), replace(expected, values=ours)))
        pooled.append(_farthest(_farthest(strip, axis=along, cells=1), axis=1 - along, cells=MAP_CELLS))
    return np.concatenate(pooled, axis=along)


def _farthest(plane: Numbers, *, axis: int, cells: int) -> Numbers:
    """Of each of at most so many blocks along `axis` the number of largest magnitude; NaN where a block holds one."""
    length = plane.shape[axis]
    if length <= cells:
        return plane
    highest = np.maximum.reduceat(plane, _starts(length, cells), axis=axis)
    lowest = np.minimum.reduceat(plane, _starts(length, cells), axis=axis)
    return np.where(np.abs(highest) >= np.abs(lowest), highest, lowest)


def _starts(length: int, cells: int) -> Numbers:
    return np.arange(cells) * length // cells


def _real(by: Numbers) -> Numbers:
    return np.abs(by) if np.iscomplexobj(by) else by
