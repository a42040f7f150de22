"""Exact zeros of expected weights that are not zero in the actual ones, or the reverse: a mask."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.observations import Leaf, Observation
from graders.hypotheses.predictions import Prediction


def mask_of_weights(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """The pattern of zeros tells whether a mask is missing, inverted or one place off."""
    if not leaf.is_aligned or leaf.expected.ndim < 2:
        return
    hidden, hidden_by_them = leaf.expected == 0, (leaf.actual == 0) | np.isnan(leaf.actual)
    cause = _cause(hidden, hidden_by_them) if hidden.any() and not hidden.all() else None
    if cause is not None:
        leaks = np.argwhere(hidden & ~hidden_by_them)
        words = {"leak": tuple(int(place) for place in leaks[0][-2:])} if len(leaks) else {}
        yield Prediction(cause=cause, variant="zeros", values=leaf.actual, weight=0.88, words=words)


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
