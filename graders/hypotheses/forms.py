"""What was returned is no tensor, or one of another rank."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from graders.arrays import Array, Numbers, Value, in_float64
from graders.comparisons import Comparison
from graders.hypotheses.causes import Cause
from graders.hypotheses.observations import Leaf, Observation, arrays_in, close
from graders.hypotheses.predictions import Prediction


def other_form(actual: Value, expected: Value, policy: Comparison) -> Cause | None:
    """Nothing where something belongs; or the right numbers in a list, an array, one tensor, or of another dtype."""
    if _lacks(actual, expected):
        return Cause.NO_RESULT
    ours = list(arrays_in(expected))
    if _is_stacked(actual, ours, policy):
        return Cause.BROADCAST
    theirs = _numbers(actual, expected)
    if theirs is None or len(ours) != len(theirs):
        return None
    pairs = list(zip(ours, theirs, strict=True))
    if not all(_same(array, values, policy) for array, (values, _) in pairs):
        return None
    wrapped = isinstance(expected, Array) and isinstance(actual, list | tuple)
    astray = [array for array, (_, found) in pairs if not policy.allows_origin(found, array)]
    if wrapped or any(array.origin == "torch" for array in astray):
        return Cause.NUMPY_OR_LIST
    if not all(policy.allows_dtype(found, array) for array, (_, found) in pairs):
        return Cause.WRONG_DTYPE
    return None


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


def _numbers(actual: Value, expected: Value) -> list[tuple[Numbers, Array]] | None:
    """The numbers of actual laid out as in expected, each with an array of its form; lists become arrays.

    A list may hold single numbers, the slices along the first axis, or the whole.
    """
    if isinstance(expected, Array) and isinstance(actual, list | tuple):
        arrays = list(arrays_in(actual))
        shapes = {array.shape for array in arrays}
        slices = {(), expected.shape, expected.shape[1:]}
        if len(shapes) != 1 or not shapes <= slices or sum(each.values.size for each in arrays) != expected.values.size:
            return None
        values = np.array([in_float64(array) for array in arrays]).reshape(expected.shape)
        return [(values, arrays[0])]
    return [(in_float64(array), array) for array in arrays_in(actual)]
