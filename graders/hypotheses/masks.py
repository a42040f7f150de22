"""Exact zeros of expected weights that are not zero in the actual ones, or the reverse: a mask."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.normalisation import NEAR
from graders.hypotheses.observations import Leaf, Observation
from graders.hypotheses.predictions import Prediction


def mask_of_weights(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """The pattern of zeros tells whether a mask is missing, inverted or one place off.

    Zeros may have other reasons: they must be those of a causal mask, or of one that is given.
    """
    if not leaf.is_aligned or leaf.expected.ndim < 2 or not _sums_to_one(leaf.expected):
        return
    hidden, hidden_by_them = leaf.expected == 0, (leaf.actual == 0) | np.isnan(leaf.actual)
    given = [tensor.values for tensor in observation.tensors if tensor.kind == "bool"]
    known = _is_causal(hidden) or any(_is_given(hidden, mask) for mask in given)
    cause = _cause(hidden, hidden_by_them) if known else None
    if cause is not None:
        leaks = np.argwhere(hidden & ~hidden_by_them)
        words = {"leak": tuple(int(place) for place in leaks[0][-2:])} if len(leaks) else {}
        yield Prediction(cause=cause, variant="zeros", values=leaf.actual, weight=0.88, words=words)


def _sums_to_one(weights: Numbers) -> bool:
    return bool(np.isrealobj(weights) and (weights >= 0).all() and np.abs(weights.sum(axis=-1) - 1).max() < NEAR)


def _is_causal(hidden: Numbers) -> bool:
    return min(hidden.shape[-2:]) > 1 and _is_triangle(hidden) and _diagonal(hidden) == 1


def _is_given(hidden: Numbers, mask: Numbers) -> bool:
    """Whether what is hidden is where a mask of the inputs is true, or where it is false."""
    fits = mask.shape in (hidden.shape, hidden.shape[-2:])
    return bool(fits and not mask.all() and mask.any() and ((hidden == mask).all() or (hidden != mask).all()))


def _cause(hidden: Numbers, hidden_by_them: Numbers) -> Cause | None:
    if not hidden_by_them.any():
        return Cause.MASK_MISSING
    shift = _diagonal(hidden_by_them) - _diagonal(hidden) if _is_triangle(hidden, hidden_by_them) else 0
    if abs(shift) == 1:
        return Cause.MASK_OFF_BY_ONE
    off_diagonal = np.broadcast_to(np.eye(*hidden.shape[-2:]) == 0, hidden.shape)
    if (hidden != hidden_by_them)[off_diagonal].all():
        return Cause.MASK_INVERTED
    return None


def _is_triangle(*masks: Numbers) -> bool:
    """Whether each hides all places above some diagonal, and no other."""
    return all(bool((mask == np.triu(np.ones(mask.shape, dtype=bool), _diagonal(mask))).all()) for mask in masks)


def _diagonal(mask: Numbers) -> int:
    """The diagonal on which a mask begins to hide, by what the first row leaves: 1 for a causal one."""
    return int((~mask.reshape(-1, *mask.shape[-2:])[0, 0]).sum())
