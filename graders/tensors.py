"""Compares what was returned with what was expected, in stages: structure, shape, dtype, NaN, values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from graders.arrays import Array, Numbers, Unsupported, Value, from_bytes, in_float64, python_number
from graders.comparisons import ORIGINS, Comparison
from graders.mismatches import Mismatch, Pair, describe, elementwise
from graders.outcomes import Stage, Verdict

__all__ = ["Array", "Comparison", "Mismatch", "Unsupported", "Value", "compare", "from_bytes", "verdict_of"]

STRICT: Final = Comparison()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Leaf:
    """Two arrays, or two texts, at one place of the structure."""

    path: str
    actual: Array | str
    expected: Array | str


def compare(actual: Value, expected: Value, policy: Comparison = STRICT) -> Mismatch | None:
    """The first way in which `actual` differs from `expected`, or None where it agrees.

    A stage is checked at every place of the structure before the next one: structure and names, shapes (never
    broadcast), dtypes, NaN and infinities, values. Lists and tuples may stand for each other; the order of a
    dictionary does not matter. Only the structure of `expected` is followed, so that a hostile `actual` costs nothing.
    """
    places = list(_leaves(actual, expected, "", policy=policy))
    leaves = [place for place in places if isinstance(place, _Leaf)]
    found = [place for place in places if isinstance(place, Mismatch)]
    for check in (_shapes, _dtypes, _texts):
        if not found:
            found = [mismatch for leaf in leaves if (mismatch := check(leaf, policy)) is not None]
    if found:
        return replace(found[0], others=tuple(mismatch.path for mismatch in found[1:]))
    return _elementwise(Stage.NAN, leaves, policy, check=_misplaced) or _elementwise(
        Stage.VALUES, leaves, policy, check=_too_far
    )


def is_of_form(actual: Value, expected: Value, policy: Comparison) -> bool:
    """Whether `actual` is built as `expected`, with arrays of the same shapes and kinds of number, whatever they hold.

    A tensor, an array and a number may stand for each other; kinds may be others where the policy allows the dtype.
    """
    return all(
        isinstance(place, _Leaf) and _shapes(place, policy) is None and _is_of_kind(place, policy)
        for place in _leaves(actual, expected, "", policy=replace(policy, allow=ORIGINS))
    )


def verdict_of(mismatch: Mismatch | None) -> Verdict:
    """`accepted` without a mismatch; `wrong_answer` where only values differ; else `invalid_output`."""
    if mismatch is None:
        return Verdict.ACCEPTED
    return Verdict.WRONG_ANSWER if mismatch.stage in (Stage.NAN, Stage.VALUES) else Verdict.INVALID_OUTPUT


def _leaves(actual: Value, expected: Value, path: str, *, policy: Comparison) -> Iterator[_Leaf | Mismatch]:
    """The places to compare, in the order of `expected`; a mismatch where the structure differs."""
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or set(actual) != set(expected):
            yield _structure(actual, expected, path)
            return
        for name, item in expected.items():
            yield from _leaves(actual[name], item, f'{path}["{name}"]', policy=policy)
    elif isinstance(expected, list | tuple):
        if not isinstance(actual, list | tuple) or len(actual) != len(expected):
            yield _structure(actual, expected, path)
            return
        for place, item in enumerate(expected):
            yield from _leaves(actual[place], item, f"{path}[{place}]", policy=policy)
    elif expected is not None or actual is not None:
        yield _leaf(actual, expected, path, policy=policy)


def _leaf(actual: Value, expected: Value, path: str, *, policy: Comparison) -> _Leaf | Mismatch:
    if isinstance(actual, str) and isinstance(expected, str):
        return _Leaf(path=path, actual=actual, expected=expected)
    ours, theirs = _array(expected), _array(actual)
    if ours is None or theirs is None or not policy.allows_origin(theirs, ours):
        return _structure(actual, expected, path)
    return _Leaf(path=path, actual=theirs, expected=ours)


def _array(value: Value) -> Array | None:
    if isinstance(value, Array):
        return value
    return python_number(value) if isinstance(value, int | float | complex) else None


def _structure(actual: Value, expected: Value, path: str) -> Mismatch:
    return Mismatch(stage=Stage.STRUCTURE, path=path, actual=describe(actual), expected=describe(expected))


def _shapes(leaf: _Leaf, policy: Comparison) -> Mismatch | None:
    match leaf:
        case _Leaf(actual=Array() as actual, expected=Array() as expected) if actual.shape != expected.shape:
            return replace(_structure(actual, expected, leaf.path), stage=Stage.SHAPE)
    return None


def _dtypes(leaf: _Leaf, policy: Comparison) -> Mismatch | None:
    match leaf:
        case _Leaf(actual=Array() as actual, expected=Array() as expected):
            if not policy.allows_dtype(actual, expected):
                allowed = policy.dtypes if isinstance(policy.dtypes, tuple) else ()
                return replace(_structure(actual, expected, leaf.path), stage=Stage.DTYPE, allowed=allowed)
    return None


def _is_of_kind(leaf: _Leaf, policy: Comparison) -> bool:
    match leaf:
        case _Leaf(actual=Array() as actual, expected=Array() as expected):
            return actual.kind == expected.kind or policy.allows_dtype(actual, expected)
    return True


def _texts(leaf: _Leaf, policy: Comparison) -> Mismatch | None:
    match leaf:
        case _Leaf(actual=str() as actual, expected=str() as expected) if actual != expected:
            pair = Pair(index=(), actual=actual, expected=expected)
            found = _structure(actual, expected, leaf.path)
            return replace(found, stage=Stage.VALUES, wrong=1, total=1, worst=pair, pairs=(pair,))
    return None


def _elementwise(
    stage: Stage, leaves: Sequence[_Leaf], policy: Comparison, *, check: Callable[[Array, Array, Comparison], Numbers]
) -> Mismatch | None:
    """The first mismatch of the stage. Others are not described: a list may differ at tens of thousands of places."""
    pairs = [(leaf.path, leaf.actual, leaf.expected) for leaf in leaves]
    # What was never written may hold NaN of a kind that even a comparison complains of.
    with np.errstate(invalid="ignore"):
        astray = [
            (path, actual, expected)
            for path, actual, expected in pairs
            if isinstance(actual, Array) and isinstance(expected, Array) and check(actual, expected, policy).any()
        ]
        if not astray:
            return None
        path, actual, expected = astray[0]
        first = elementwise(stage, path, actual, expected, wrong=check(actual, expected, policy))
    return replace(first, others=tuple(path for path, _, _ in astray[1:]))


def _misplaced(actual: Array, expected: Array, policy: Comparison) -> Numbers:
    """Where one side is NaN and the other is not, or infinite and the other is not so with the same sign."""
    if actual.is_exact and expected.is_exact:
        return np.zeros(expected.shape, dtype=bool)
    ours, theirs = in_float64(expected), in_float64(actual)
    nan = np.isnan(ours) & np.isnan(theirs)
    infinite = np.isinf(ours) | np.isinf(theirs)
    astray = (np.isnan(ours) != np.isnan(theirs)) | (infinite & ~nan & (ours != theirs))
    return np.asarray(astray | nan if not policy.equal_nan else astray)


def _too_far(actual: Array, expected: Array, policy: Comparison) -> Numbers:
    """Where |actual − expected| > atol + rtol·|expected|; integers and booleans where they are not the same."""
    if actual.is_exact and expected.is_exact:
        return np.asarray(actual.values != expected.values)
    ours, theirs = in_float64(expected), in_float64(actual)
    rtol, atol = policy.tolerance(actual, expected)
    with np.errstate(all="ignore"):
        close = np.abs(theirs - ours) <= atol + rtol * np.abs(ours)
    same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
    wrong = np.asarray(~(close | same))
    return wrong | _other_zero(theirs, ours) if policy.signed_zero else wrong


def _other_zero(theirs: Numbers, ours: Numbers) -> Numbers:
    """Where both are zero, with different signs; of a complex number either part."""
    if np.iscomplexobj(ours) or np.iscomplexobj(theirs):
        both = [(part(theirs), part(ours)) for part in (np.real, np.imag)]
        return np.asarray(_other_zero(*both[0]) | _other_zero(*both[1]))
    return np.asarray((theirs == 0) & (ours == 0) & (np.signbit(theirs) != np.signbit(ours)))
