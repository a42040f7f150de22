"""How an output differs from the expected one, as a value. Words are made from it in `feedback`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from graders.arrays import Array, Numbers, Unsupported, Value, difference, in_float64, python_number
from graders.outcomes import Stage

Index = tuple[int, ...]
Number = bool | int | float | complex
MAP_CELLS: Final = 32
FIRST_PAIRS: Final = 5
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
    by = difference(actual, expected)
    magnitude = np.abs(by)
    with np.errstate(all="ignore"):
        relative = magnitude / np.abs(in_float64(expected))
    sizes = np.where(wrong, np.nan_to_num(magnitude, nan=np.inf), -1.0)
    worst = tuple(int(place) for place in np.unravel_index(int(sizes.argmax()), sizes.shape))
    places = np.argwhere(wrong)
    first = [tuple(int(place) for place in index) for index in places[:FIRST_PAIRS]]
    return Mismatch(
        stage=stage,
        path=path,
        actual=describe(actual),
        expected=describe(expected),
        wrong=int(wrong.sum()),
        total=int(wrong.size),
        worst=_pair(worst, actual, expected),
        max_absolute_error=_largest(magnitude[wrong]),
        max_relative_error=_largest(relative[wrong]),
        pairs=tuple(_pair(place, actual, expected) for place in first),
        only=_shared(places, wrong.shape),
        difference_map=_difference_map(by, worst),
    )


def _shared(places: Numbers, shape: Index) -> tuple[int | None, ...]:
    same = (places == places[0]).all(axis=0)
    return tuple(int(places[0][axis]) if same[axis] and length > 1 else None for axis, length in enumerate(shape))


def _pair(index: Index, actual: Array, expected: Array) -> Pair:
    return Pair(index=index, actual=actual.values.item(index), expected=expected.values.item(index))


def _largest(errors: Numbers) -> float | None:
    numbers = errors[np.isfinite(errors)]
    return float(numbers.max()) if numbers.size else None


def _difference_map(by: Numbers, worst: Index) -> Map | None:
    if not worst:
        return None
    leading = worst[:-2]
    plane = np.atleast_2d(by[leading])
    plane = np.abs(plane) if np.iscomplexobj(plane) else plane
    pooled = _pooled(_pooled(plane, axis=0), axis=1)
    finite = pooled[np.isfinite(pooled)]
    cells = tuple(tuple(float(cell) if np.isfinite(cell) else None for cell in row) for row in pooled)
    limit = float(np.abs(finite).max()) if finite.size else 0.0
    return Map(leading=leading, shape=(plane.shape[0], plane.shape[1]), cells=cells, limit=limit)


def _pooled(plane: Numbers, *, axis: int) -> Numbers:
    """Of each block along `axis` the number of largest magnitude; NaN where a block holds one."""
    length = plane.shape[axis]
    if length <= MAP_CELLS:
        return plane
    starts = np.arange(MAP_CELLS) * length // MAP_CELLS
    highest = np.maximum.reduceat(plane, starts, axis=axis)
    lowest = np.minimum.reduceat(plane, starts, axis=axis)
    return np.where(np.abs(highest) >= np.abs(lowest), highest, lowest)
