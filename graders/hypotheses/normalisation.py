"""What sums to one, or has mean 0 and variance 1: over another axis, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.observations import Leaf, Observation
from graders.hypotheses.predictions import Prediction

NEAR: Final = 1e-3
"""How near a sum must be to one, or a mean to zero."""
SPREAD: Final = 0.25
"""How much the factors of rows differ at least where nothing divides them; rows differ by less for other causes."""


def summing_elsewhere(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Expected sums to one over one axis, actual over another: the share along the expected axis is all there is."""
    yield from _elsewhere(leaf, _is_distribution, Cause.OTHER_AXIS_SOFTMAX)


def standardised_elsewhere(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Expected has mean 0 and variance 1 over one axis, actual over another."""
    yield from _elsewhere(leaf, _is_standard, Cause.OTHER_AXIS_NORMALISED)


def _elsewhere(leaf: Leaf, holds: Callable[[Numbers, int], bool], cause: Cause) -> Iterator[Prediction]:
    """What holds of expected over one axis and of actual over another only."""
    if not leaf.is_aligned or leaf.expected.ndim < 2 or not np.isfinite(leaf.actual).all():
        return
    axes = range(-1, -leaf.expected.ndim - 1, -1)
    ours = [axis for axis in axes if holds(leaf.expected, axis)]
    theirs = [axis for axis in axes if holds(leaf.actual, axis)]
    for axis in ours:
        for other in (other for other in theirs if other not in ours and axis not in theirs):
            words = {"axis": axis + leaf.expected.ndim, "other": other + leaf.expected.ndim}
            yield Prediction(cause=cause, variant=f"{axis} {other}", values=leaf.actual, weight=0.8, words=words)


def unnormalised(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Each row is the expected one times a factor of its own: what divides it is missing or another."""
    if not leaf.is_aligned or leaf.expected.ndim < 1 or not np.isfinite(leaf.actual).all():
        return
    for axis in range(-1, -leaf.expected.ndim - 1, -1):
        distribution = _is_distribution(leaf.expected, axis)
        if leaf.expected.shape[axis] < 3 or not (distribution or axis == -1):
            continue
        squares = (leaf.expected**2).sum(axis=axis, keepdims=True)
        factors = (leaf.expected * leaf.actual).sum(axis=axis, keepdims=True) / np.where(squares == 0, 1, squares)
        if distribution or np.ptp(factors) > SPREAD * np.abs(factors).max():
            yield Prediction(
                cause=Cause.NOT_NORMALISED,
                variant=f"{axis}",
                values=factors * leaf.expected,
                weight=0.9 if distribution else 0.65,
                words={"axis": axis + leaf.expected.ndim, "sums": distribution},
            )


def _is_distribution(values: Numbers, axis: int) -> bool:
    positive = np.isrealobj(values) and (values >= 0).all() and values.shape[axis] > 1
    return bool(positive and np.abs(values.sum(axis=axis) - 1).max() < NEAR)


def _is_standard(values: Numbers, axis: int) -> bool:
    if values.shape[axis] < 3 or not np.isrealobj(values):
        return False
    return bool(np.abs(values.mean(axis=axis)).max() < NEAR and np.abs(values.std(axis=axis) - 1).max() < 0.02)
