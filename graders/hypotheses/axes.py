"""The expected values at other places: axes swapped or permuted, moved along an axis, rows or heads reordered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Final

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.observations import Leaf, Observation
from graders.hypotheses.predictions import Prediction

MOST_AXES: Final = 4
MOST_ROWS: Final = 128
_STEPS: Final = (1, -1, 2, -2)


def transposed(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Two axes swapped; the last two first."""
    ndim = leaf.expected.ndim
    if ndim > MOST_AXES:
        return
    for first, second in sorted(combinations(range(-ndim, 0), 2), reverse=True):
        weight = 0.96 if (first, second) == (-2, -1) else 0.95
        values = np.swapaxes(leaf.expected, first, second)
        axes = (first + ndim, second + ndim)
        # Cases may differ in their number of axes: the swap is named from the end and from the front.
        for variant in (f"{first},{second}", f"{axes}"):
            yield Prediction(
                cause=Cause.TRANSPOSED, variant=variant, values=values, weight=weight, words={"axes": axes}
            )


def permuted(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Axes in another order, or read in another order into the expected shape."""
    ndim = leaf.expected.ndim
    if not 2 <= ndim <= MOST_AXES:
        return
    for order in permutations(range(ndim)):
        moves = [(place, axis) for place, axis in enumerate(order) if place != axis]
        moved = np.transpose(leaf.expected, order)
        # Cases may differ in their number of axes: what moves is named from the front and from the end.
        for name in {f"{moves}", f"{[(place - ndim, axis - ndim) for place, axis in moves]}"} if moves else ():
            if len(moves) > 2:
                yield Prediction(cause=Cause.PERMUTED, variant=name, values=moved, weight=0.94)
            values = moved.reshape(leaf.expected.shape)
            yield Prediction(cause=Cause.PERMUTED, variant=f"reshaped {name}", values=values, weight=0.9)
    for parts in {2, *observation.integers}:
        yield from _split(leaf, parts)


def _split(leaf: Leaf, parts: int) -> Iterator[Prediction]:
    """The last axis made of `parts` that are laid out before another axis, and read into the expected shape."""
    shape = leaf.expected.shape
    if not 1 < parts < shape[-1] or shape[-1] % parts:
        return
    for name, split in (("outer", (parts, -1)), ("inner", (-1, parts))):
        cut = leaf.expected.reshape(*shape[:-1], *split)
        moved = -2 if name == "outer" else -1
        for place in (-3, -2, 0):
            values = np.moveaxis(cut, moved, place).reshape(shape)
            yield Prediction(cause=Cause.PERMUTED, variant=f"{name} part before {place}", values=values, weight=0.9)


def rolled(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Everything moved along one axis, and what falls out put back at the other end, or lost."""
    for axis in range(-1, -leaf.expected.ndim - 1, -1):
        length = leaf.expected.shape[axis]
        if length < 2:
            continue
        for step in _STEPS:
            values = np.roll(leaf.expected, step, axis=axis)
            words = {"axis": axis + leaf.expected.ndim, "step": abs(step)}
            yield Prediction(cause=Cause.ROLLED, variant=f"{axis}:{step}", values=values, weight=0.93, words=words)
            if leaf.is_aligned and length > abs(step):
                values = _with_edge_of(values, leaf.actual, step, axis=axis)
                yield Prediction(
                    cause=Cause.ROLLED, variant=f"{axis}:{step} lost", values=values, weight=0.9, words=words
                )


def reordered(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Rows, columns or slices along one axis in another order; heads where an argument says how many there are."""
    if not leaf.is_aligned:
        return
    for axis in range(-1, -leaf.expected.ndim - 1, -1):
        order = _order(leaf, axis)
        if order is None:
            continue
        values = np.take(leaf.expected, order, axis=axis)
        words = {"axis": axis + leaf.expected.ndim, "order": tuple(int(place) for place in order)}
        heads = any(_by_heads(order, count) for count in observation.integers)
        cause = Cause.HEADS_REORDERED if heads else Cause.ROWS_REORDERED
        yield Prediction(cause=cause, variant=f"{axis}", values=values, weight=0.9, words=words)


def _with_edge_of(values: Numbers, actual: Numbers, step: int, *, axis: int) -> Numbers:
    """`values` with the rows that a move by `step` leaves open taken from `actual`."""
    edge = [slice(None)] * values.ndim
    edge[axis] = slice(0, step) if step > 0 else slice(step, None)
    filled = values.astype(np.result_type(values, actual))
    filled[tuple(edge)] = actual[tuple(edge)]
    return filled


def _order(leaf: Leaf, axis: int) -> Numbers | None:
    """Which slice of expected each slice of actual is nearest to; None where that is no new order."""
    count = leaf.expected.shape[axis]
    if not 2 <= count <= MOST_ROWS or leaf.expected.size // count < 2:
        return None
    ours = np.moveaxis(leaf.expected, axis, 0).reshape(count, -1)
    theirs = np.moveaxis(leaf.actual, axis, 0).reshape(count, -1)
    apart = np.abs(theirs[:, None, :] - ours[None, :, :]).max(axis=-1)
    order = np.argmin(np.nan_to_num(apart, nan=np.inf), axis=1)
    return order if len(set(order.tolist())) == count else None


def _by_heads(order: Numbers, heads: int) -> bool:
    """Whether an order moves whole heads, or lays out heads and their columns the other way round."""
    if not 1 < heads < len(order) or len(order) % heads:
        return False
    blocks = order.reshape(heads, -1)
    whole = bool((np.diff(blocks, axis=1) == 1).all())
    laid = np.arange(len(order)).reshape(heads, -1).T.ravel()
    return whole or bool((order == laid).all() or (np.argsort(order) == laid).all())
