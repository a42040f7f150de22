"""Scaled dot-product attention: what the outputs would be with another scale, axis, mask or softmax."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.factors import SAME, named_size
from graders.hypotheses.models.model import Varied, computations
from graders.hypotheses.models.softmaxes import WEIGHINGS, Axis, Weighing, named_axes, softmax
from graders.hypotheses.observations import MOST_CELLS, Observation
from graders.hypotheses.predictions import Computation, Facts, Sought

Mask = Literal["none", "causal", "given", "given inverted"]
Filling = Literal["hidden", "zero", "after", "small", "large"]

FILLED: Final[dict[Filling, float]] = {"hidden": -np.inf, "zero": 0.0, "small": -1.0, "large": -1e9}
"""What is filled in where a score is hidden: the right thing, and what is sometimes put in its place."""


SIZES: Final = {
    "d": "the width of the keys",
    "m": "the number of keys",
    "n": "the number of queries",
    "e": "the width of the values",
    "b": "the size of the batch",
    "h": "the number of heads",
    "w": "the width of the input",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """One way to attend. `scale` multiplies the scores, `after` what comes out; `order` names what is swapped.

    `inverted` hides the past: 1 without the place itself, 2 with it.
    """

    scale: float
    after: float = 1.0
    axis: Axis = -1
    weigh: Weighing = softmax
    mask: Mask = "none"
    diagonal: int = 1
    inverted: int = 0
    filling: Filling = "hidden"
    order: str = ""


def attentions(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """Query, key and value are the first three tensors; a boolean mask may follow, or the mask is causal."""
    floats = observation.floats
    if len(floats) < 3 or min(array.ndim for array in floats[:3]) < 2:
        return
    query, key, value = floats[:3]
    longest = max(*query.shape[-2:], *key.shape[-2:], *value.shape[-2:])
    if math.prod(np.broadcast_shapes(query.shape[:-2], key.shape[:-2])) * longest**2 > MOST_CELLS:
        return
    given = next((tensor.values for tensor in observation.tensors if tensor.kind == "bool"), None)
    masks: tuple[Mask, ...] = ("none", "causal") if given is None else ("given", "given inverted", "none")
    scales = [query.shape[-1] ** -0.5, 1.0, *(option for option in observation.options.values() if option > 0)]
    forms = [Attention(scale=scale, mask=mask) for scale in scales for mask in masks]
    compute = partial(attend, query, key, value, given=given)
    sizes = {"d": query.shape[-1], "m": key.shape[-2], "n": query.shape[-2], "e": value.shape[-1]}
    sizes |= {"b": math.prod(query.shape[:-2])}
    yield from computations(
        observation, forms, compute, vary=partial(vary_attention, ndim=query.ndim, sizes=sizes), sought=sought
    )


def attend(
    query: Numbers, key: Numbers, value: Numbers, form: Attention, *, given: Numbers | None = None
) -> list[Numbers]:
    """Output `(…, n, e)`, weights and scores `(…, n, m)` for query `(…, n, d)`, key `(…, m, d)`, value `(…, m, e)`."""
    scores = form.scale * (query @ np.swapaxes(key, -1, -2))
    if form.order == "scores":
        scores = np.swapaxes(scores, -1, -2)
    hidden = _hidden(scores.shape, form, given)
    if hidden is not None and form.filling != "after":
        scores = np.where(hidden, FILLED[form.filling], scores)
    weights = form.weigh(scores, form.axis)
    if hidden is not None and form.filling == "after":
        weights = np.where(hidden, 0.0, weights)
    used = np.swapaxes(weights, -1, -2) if form.order == "weights" else weights
    return [form.after * (used @ value), weights, scores]


def _hidden(shape: tuple[int, ...], form: Attention, given: Numbers | None) -> Numbers | None:
    if form.mask == "none":
        return None
    if form.mask == "causal":
        future = np.triu(np.ones(shape[-2:], dtype=bool), form.diagonal)
        return ~np.triu(np.ones(shape[-2:], dtype=bool), form.inverted - 1) if form.inverted else future
    assert given is not None
    return given if (form.mask == "given inverted") != bool(form.inverted) else ~given


def vary_attention(form: Attention, *, ndim: int, sizes: dict[str, int]) -> Iterator[Varied[Attention]]:
    """Each thing that is often done otherwise, one at a time."""
    yield from _scales(form, sizes)
    for name, axis in named_axes(ndim).items():
        words: Facts = {"axis": "all" if axis is None else axis}
        changed = replace(form, axis=axis)
        yield Varied(cause=Cause.OTHER_AXIS_SOFTMAX, variant=name, form=changed, words=words)
    for cause, variant, weigh in WEIGHINGS:
        yield Varied(cause=cause, variant=variant, form=replace(form, weigh=weigh), words={"function": variant})
    yield Varied(cause=Cause.SIGN, variant="scores", form=replace(form, scale=-form.scale), words={"inside": True})
    for order in ("scores", "weights"):
        yield Varied(cause=Cause.TRANSPOSED, variant=order, form=replace(form, order=order), words={"inside": order})
    if form.mask != "none":
        yield from _masks(form)


def _scales(form: Attention, sizes: dict[str, int]) -> Iterator[Varied[Attention]]:
    """Scores without a scale, with another one, with it twice, or scaled after the softmax."""
    scales = {"1": 1.0, "twice": form.scale**2, "root": math.sqrt(form.scale), "times": 1 / form.scale}
    for key, size in sizes.items():
        scales |= {f"{key}^{power}": size**power for power in (-0.5, -1.0, -2.0)}
    for variant, scale in scales.items():
        words = {**_words_of_factor(scale / form.scale, sizes), "inside": True}
        yield Varied(cause=Cause.SCALED, variant=variant, form=replace(form, scale=scale), words=words)
    afters = {"after": (1.0, form.scale), "both": (form.scale, form.scale)}
    for variant, (scale, after) in afters.items():
        words = {"factor": 1 / form.scale, "after": True}
        changed = replace(form, scale=scale, after=after)
        yield Varied(cause=Cause.SCALED, variant=variant, form=changed, words=words)
    for key in "mh":
        count = sizes.get(key, 1)
        words = {"factor": 1 / count, "count": count, "summed": False}
        changed = replace(form, after=1 / count)
        yield Varied(cause=Cause.MEAN_FOR_SUM, variant=f"over {key}", form=changed, words=words)


def _words_of_factor(factor: float, sizes: dict[str, int]) -> Facts:
    """The factor with its name, where a size gives it."""
    for key, size in sizes.items():
        for way, power in (("√", 0.5), ("", 1.0), ("√-", -0.5), ("-", -1.0)):
            if size > 1 and math.isclose(factor, size**power, rel_tol=SAME):
                return {"factor": factor, "named": named_size(size, way), "of": SIZES[key], "size": size}
    return {"factor": factor}


def _masks(form: Attention) -> Iterator[Varied[Attention]]:
    """No mask, the wrong side of it, its border one place off, or hidden scores that are not low enough."""
    yield Varied(cause=Cause.MASK_MISSING, variant="none", form=replace(form, mask="none"))
    fillings: tuple[Filling, ...] = ("hidden", "large")
    for filling in fillings:
        for inverted in (1, 2):
            changed = replace(form, inverted=inverted, filling=filling)
            yield Varied(cause=Cause.MASK_INVERTED, variant=f"{inverted} {filling}", form=changed)
        for diagonal in (0, 2) if form.mask == "causal" else ():
            words: Facts = {"leaks": diagonal == 2}
            changed = replace(form, diagonal=diagonal, filling=filling)
            yield Varied(cause=Cause.MASK_OFF_BY_ONE, variant=f"{diagonal} {filling}", form=changed, words=words)
    fillings = ("zero", "small")
    for filling in fillings:
        yield Varied(cause=Cause.MASK_MISSING, variant=filling, form=replace(form, filling=filling))
    yield Varied(cause=Cause.NOT_NORMALISED, variant="masked after", form=replace(form, filling="after"))
