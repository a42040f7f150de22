"""What only several cases together show: one stored answer, or memory that was never written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.observations import Leaf, Observation, close

FEWEST: Final = 3
"""With fewer values any rule fits by chance."""
GARBAGE: Final = (1e-20, 1e20)
"""Memory that was never written is often read as numbers far outside of this, or as zero."""
SOME: Final = 0.25
"""The share of unwritten values at least that look so; the others are what another array left."""
MOSTLY: Final = 0.6
"""The share of a slice that must be wrong to say that it was not written; what was left there may be right."""


def is_hard_coded(observations: Sequence[Observation]) -> bool:
    """Whether every wrong case gave what another case expects, or all gave the same although they differ."""
    wrong = [observation for observation in observations if observation.is_wrong]
    if not wrong or sum(leaf.actual.size for observation in wrong for leaf in observation.leaves) < FEWEST:
        return False
    if all(_is_answer_of_another(observation, observations) for observation in wrong):
        return True
    if any(_is_stored(other, wrong) for other in observations):
        return True
    first = wrong[0]
    alike = all(_alike(_actual(first), _actual(observation)) for observation in wrong[1:])
    differ = any(not _alike(_expected(first), _expected(observation)) for observation in wrong[1:])
    return alike and differ and any(_says_something(leaf.actual) for leaf in first.leaves)


def _says_something(actual: Numbers) -> bool:
    """Whether nobody gets these numbers by chance: zeros, ones and NaN come out of many computations."""
    finite = actual[np.isfinite(actual)]
    return bool(len(finite)) and bool((finite != finite[0]).any() or finite[0] not in (0, 1))


def _is_answer_of_another(observation: Observation, others: Sequence[Observation]) -> bool:
    return any(
        _alike(_actual(observation), _expected(other))
        for other in others
        if other is not observation and not _alike(_expected(other), _expected(observation))
    )


def _is_stored(other: Observation, wrong: Sequence[Observation]) -> bool:
    """Whether all further wrong cases give what this one gave as far as it reaches, and zeros beyond."""
    further = [observation for observation in wrong if observation is not other]
    return bool(further) and all(_continues(observation, other) for observation in further)


def is_unwritten(observations: Sequence[Observation]) -> bool:
    """Whether all is right but for whole slices along one axis, and those hold what unwritten memory holds.

    That is now zero, now a number far out, now what another array left behind.
    """
    wrong = [leaf for observation in observations for leaf in observation.leaves if leaf.is_wrong]
    if not wrong or not all(leaf.is_aligned and np.isrealobj(leaf.actual) and leaf.actual.ndim for leaf in wrong):
        return False
    values = np.concatenate([leaf.actual[_differs(leaf)] for leaf in wrong])
    size = np.abs(values)
    unwritten = ~((size > GARBAGE[0]) & (size < GARBAGE[1]))
    axes = set.intersection(*(_axes_of_wrong_slices(leaf) for leaf in wrong))
    return bool(axes) and len(values) >= FEWEST and float(unwritten.mean()) >= SOME


def _axes_of_wrong_slices(leaf: Leaf) -> set[int]:
    """The axes along which some slices are wrong through and through, and the others right."""
    wrong, found = _differs(leaf), set()
    for axis in range(-1, -wrong.ndim - 1, -1):
        share = wrong.mean(axis=tuple(other for other in range(-wrong.ndim, 0) if other != axis))
        touched = share > 0
        if touched.any() and not touched.all() and share[touched].min() >= MOSTLY:
            found.add(axis)
    return found


def _differs(leaf: Leaf) -> Numbers:
    return ~np.isclose(leaf.actual, leaf.expected, rtol=1e-3, atol=1e-5)


def _continues(observation: Observation, other: Observation) -> bool:
    """Whether a case gives what another case gave as far as that reaches, and zeros beyond, which are wrong."""
    actual, stored = observation.leaves[0].actual, other.leaves[0].actual
    if actual.ndim != stored.ndim or not actual.ndim or not observation.leaves[0].is_aligned:
        return False
    shared = tuple(slice(min(lengths)) for lengths in zip(actual.shape, stored.shape, strict=True))
    beyond = np.ones(actual.shape, dtype=bool)
    beyond[shared] = False
    expected = observation.leaves[0].expected
    same = close(actual[shared], stored[shared], rtol=1e-6, atol=1e-7) and bool(actual[shared].any())
    return same and not actual[beyond].any() and bool(expected[beyond].any())


def _actual(observation: Observation) -> list[Numbers]:
    return [leaf.actual for leaf in observation.leaves]


def _expected(observation: Observation) -> list[Numbers]:
    return [leaf.expected for leaf in observation.leaves]


def _alike(one: list[Numbers], other: list[Numbers]) -> bool:
    return len(one) == len(other) and all(
        close(left, right, rtol=1e-6, atol=1e-7) for left, right in zip(one, other, strict=True)
    )
