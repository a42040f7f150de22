"""A function of the expected values: squared, rooted, inverted, its logarithm or exponential."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.observations import Leaf, Observation
from graders.hypotheses.predictions import Prediction

_POWERS: Final = {"square": 2.0, "square root": 0.5, "reciprocal": -1.0, "reciprocal square root": -0.5, "cube": 3.0}
_LOGARITHMS: Final[dict[str, Callable[[Numbers], Numbers]]] = {
    "logarithm": np.log,
    "exponential": np.exp,
    "logarithm to base 2": np.log2,
    "power of 2": np.exp2,
    "logarithm to base 10": np.log10,
    "logarithm of 1 plus it": np.log1p,
    "exponential minus 1": np.expm1,
}


def powers(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Every value squared, rooted or inverted."""
    for name, power in _POWERS.items():
        values = np.power(leaf.expected, power)
        yield Prediction(cause=Cause.POWER, variant=name, values=values, weight=0.95, words={"function": name})


def logarithms(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """The logarithm or the exponential of every value."""
    for name, function in _LOGARITHMS.items():
        values = function(leaf.expected)
        yield Prediction(cause=Cause.LOG_OR_EXP, variant=name, values=values, weight=0.95, words={"function": name})


def tempered(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Weights that sum to one, as if the scores before the softmax had been scaled or negated."""
    for axis in weight_axes(leaf):
        factor, values = _tempered(leaf, axis)
        cause = Cause.SIGN if factor < 0 else Cause.SCALED
        words = {"factor": factor, "named": "", "of": "", "varies": False, "inside": True}
        yield Prediction(
            cause=cause, variant=f"scores {axis}", values=values, weight=0.85, parameter=factor, words=words
        )
        if leaf.is_wrong:
            words = words | {"varies": True}
            yield Prediction(cause=cause, variant=f"varying {axis}", values=values, weight=0.7, words=words)


def weight_axes(leaf: Leaf) -> list[int]:
    """Axes over which both sides are positive and sum to one, with at least three values."""
    if not leaf.is_aligned or not (leaf.expected > 0).all() or not (leaf.actual > 0).all():
        return []
    axes = range(-1, -leaf.expected.ndim - 1, -1)
    return [axis for axis in axes if leaf.expected.shape[axis] > 2 and _sums_to_one(leaf, axis)]


def _sums_to_one(leaf: Leaf, axis: int) -> bool:
    return all(np.allclose(side.sum(axis=axis), 1, rtol=1e-4) for side in (leaf.actual, leaf.expected))


def _tempered(leaf: Leaf, axis: int) -> tuple[float, Numbers]:
    ours, theirs = np.log(leaf.expected), np.log(leaf.actual)
    ours, theirs = ours - ours.mean(axis=axis, keepdims=True), theirs - theirs.mean(axis=axis, keepdims=True)
    factor = float((ours * theirs).sum()) / max(float((ours * ours).sum()), 1e-30)
    raised = np.exp(factor * (ours - ours.max(axis=axis, keepdims=True)))
    return factor, raised / raised.sum(axis=axis, keepdims=True)
