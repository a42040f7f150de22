"""What only several cases together show: one stored answer, or right for the visible cases alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.observations import Observation, close


def is_hard_coded(observations: Sequence[Observation]) -> bool:
    """Whether every wrong case gave what another case expects, or all gave the same although they differ."""
    wrong = [observation for observation in observations if observation.is_wrong]
    if not wrong or sum(leaf.actual.size for observation in wrong for leaf in observation.leaves) < 3:
        return False
    if all(_is_answer_of_another(observation, observations) for observation in wrong):
        return True
    right = [observation for observation in observations if not observation.is_wrong]
    if any(all(_ends_with(observation, other) for observation in wrong) for other in right):
        return True
    first = wrong[0]
    alike = all(_alike(_actual(first), _actual(observation)) for observation in wrong[1:])
    differ = any(not _alike(_expected(first), _expected(observation)) for observation in wrong[1:])
    return alike and differ and any(leaf.actual.any() for leaf in first.leaves)


def _is_answer_of_another(observation: Observation, others: Sequence[Observation]) -> bool:
    return any(
        _alike(_actual(observation), _expected(other))
        for other in others
        if other is not observation and not _alike(_expected(other), _expected(observation))
    )


def _ends_with(observation: Observation, other: Observation) -> bool:
    """Whether a case is right as far as the output of another case reaches, and zero beyond."""
    leaf, shape = observation.leaves[0], other.leaves[0].expected.shape
    if not leaf.is_aligned or len(shape) != leaf.actual.ndim or not shape:
        return False
    beyond = np.ones(leaf.actual.shape, dtype=bool)
    beyond[tuple(slice(length) for length in shape)] = False
    wrong = ~np.isclose(leaf.actual, leaf.expected, rtol=1e-3, atol=1e-3)
    return bool(beyond.any() and not wrong[~beyond].any() and not leaf.actual[beyond].any())


def _actual(observation: Observation) -> list[Numbers]:
    return [leaf.actual for leaf in observation.leaves]


def _expected(observation: Observation) -> list[Numbers]:
    return [leaf.expected for leaf in observation.leaves]


def _alike(one: list[Numbers], other: list[Numbers]) -> bool:
    return len(one) == len(other) and all(
        close(left, right, rtol=1e-6, atol=1e-7) for left, right in zip(one, other, strict=True)
    )
