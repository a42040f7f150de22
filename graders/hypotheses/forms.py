"""What was returned is no tensor, or one of another rank."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

import numpy as np

from graders.arrays import Array, Numbers, Value, in_float64, python_number
from graders.comparisons import Comparison
from graders.hypotheses.causes import Cause
from graders.hypotheses.observations import Leaf, Observation, arrays_in, close
from graders.hypotheses.predictions import Prediction

MOST_SWAPPED: Final = 32


def other_form(actual: Value, expected: Value, policy: Comparison) -> Cause | None:
    """Nothing where something belongs; or the right numbers in other places, in a list, an array, one tensor, or of
    another dtype."""
    if _lacks(actual, expected):
        return Cause.NO_RESULT
    ours = list(arrays_in(expected))
    if _is_stacked(actual, ours, policy):
        return Cause.BROADCAST
    parts = _parts(actual, expected)
    if not parts:
        return None
    if _are_swapped(parts, policy):
        return Cause.RESULTS_SWAPPED
    forms = {_form(part, array, policy) for part, array in parts}
    if None in forms:
        return None
    return next((cause for cause in (Cause.NUMPY_OR_LIST, Cause.WRONG_DTYPE) if cause in forms), None)


def _parts(actual: Value, expected: Value) -> list[tuple[Value, Array]] | None:
    """What stands at the place of each array and number of expected; None where actual is built in another way."""
    if isinstance(expected, Array):
        return [(actual, expected)]
    if isinstance(expected, int | float | complex):
        return [(actual, python_number(expected))]
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or actual.keys() != expected.keys():
            return None
        pairs = [(actual[name], expected[name]) for name in expected]
    elif isinstance(expected, list | tuple):
        if not isinstance(actual, list | tuple) or len(actual) != len(expected):
            return None
        pairs = list(zip(actual, expected, strict=True))
    else:
        return []
    found = [_parts(one, other) for one, other in pairs]
    return None if None in found else [part for parts in found if parts for part in parts]


def _are_swapped(parts: list[tuple[Value, Array]], policy: Comparison) -> bool:
    """Whether every result is there, but not every one in its own place."""
    held = [(part, array) for part, array in parts if isinstance(part, Array)]
    shapes = [sorted(sides[place].shape for sides in held) for place in (0, 1)]
    # Each is compared with each.
    if len(held) < len(parts) or len(parts) > MOST_SWAPPED or shapes[0] != shapes[1]:
        return False
    theirs = [(in_float64(part), array) for part, array in held]
    if all(_same(array, values, policy) for values, array in theirs):
        return False
    left = [values for values, _ in theirs]
    for _, array in theirs:
        place = next((place for place, values in enumerate(left) if _same(array, values, policy)), None)
        if place is None:
            return False
        del left[place]
    return True


def _form(part: Value, expected: Array, policy: Comparison) -> Cause | str | None:
    """What is wrong about what holds the right numbers, "" for nothing; None where the numbers are not right."""
    numbers = _numbers(part, expected)
    if numbers is None or not _same(expected, numbers[0], policy):
        return None
    found = numbers[1]
    is_wrapped = isinstance(part, list | tuple)
    if is_wrapped or (expected.origin == "torch" and not policy.allows_origin(found, expected)):
        return Cause.NUMPY_OR_LIST
    return "" if policy.allows_dtype(found, expected) else Cause.WRONG_DTYPE


def _lacks(actual: Value, expected: Value) -> bool:
    """Whether there is None where something is expected, at the top or as one of several results."""
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple) and len(actual) == len(expected):
        return any(_lacks(one, other) for one, other in zip(actual, expected, strict=True))
    return actual is None and expected is not None


def _is_stacked(actual: Value, ours: list[Array], policy: Comparison) -> bool:
    """Whether several tensors of one shape come as one with an axis more."""
    if not isinstance(actual, Array) or len(ours) < 2 or actual.shape != (len(ours), *ours[0].shape):
        return False
    return all(_same(array, values, policy) for array, values in zip(ours, in_float64(actual), strict=True))


def other_rank(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Axes too many or too few: of length one, by broadcasting, or because a sum or mean over them is missing."""
    actual, expected = leaf.actual, leaf.expected
    if actual.ndim == expected.ndim:
        return
    words = {"actual": actual.ndim, "expected": expected.ndim}
    if np.squeeze(actual).shape == np.squeeze(expected).shape:
        values = expected.reshape(actual.shape)
        yield Prediction(cause=Cause.BROADCAST, variant="", values=values, weight=0.95, words=words)
        return
    if actual.ndim > expected.ndim and _reduces(leaf):
        yield Prediction(cause=Cause.BROADCAST, variant="", values=actual, weight=0.95, words=words)
    yield Prediction(cause=Cause.BROADCAST, variant="", values=actual, weight=0.6, words=words)


def _reduces(leaf: Leaf) -> bool:
    """Whether the mean, the sum or the diagonal over some axes of actual is what was expected."""
    axes = range(leaf.actual.ndim)
    groups = [group for count in (1, 2, leaf.actual.ndim) for group in combinations(axes, count)]
    reduced = [reduce(leaf.actual, axis=group) for group in groups for reduce in (np.mean, np.sum)]
    if leaf.actual.ndim >= 2:
        reduced += [np.diagonal(leaf.actual, axis1=-2, axis2=-1), leaf.actual[..., 0], leaf.actual[..., 0, :]]
    return any(close(np.asarray(one), leaf.expected, rtol=leaf.rtol, atol=leaf.atol) for one in reduced)


def _same(ours: Array, theirs: Numbers, policy: Comparison) -> bool:
    rtol, atol = policy.tolerance(ours, ours)
    return close(theirs, in_float64(ours), rtol=max(rtol, 1e-3), atol=atol)


def _numbers(actual: Value, expected: Array) -> tuple[Numbers, Array] | None:
    """The numbers of actual in the shape in which they are given, and an array of their form; lists become arrays.

    A list may hold single numbers, the slices along the first axis, or the whole.
    """
    arrays = list(arrays_in(actual))
    if not isinstance(actual, list | tuple):
        is_one = len(arrays) == 1 and arrays[0].shape == expected.shape
        return (in_float64(arrays[0]), arrays[0]) if is_one else None
    if not arrays and not expected.values.size:
        return in_float64(expected), expected
    shapes = {array.shape for array in arrays}
    slices = {(), expected.shape, expected.shape[1:]}
    if len(shapes) != 1 or not shapes <= slices or sum(each.values.size for each in arrays) != expected.values.size:
        return None
    return np.array([in_float64(array) for array in arrays]).reshape(expected.shape), arrays[0]
