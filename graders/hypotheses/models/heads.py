"""Multi-head attention with projections: heads cut or merged otherwise, beside all that attention may have wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.models.attention import Attention, attend, vary_attention
from graders.hypotheses.models.model import Varied, computations
from graders.hypotheses.observations import MOST_CELLS, Observation
from graders.hypotheses.predictions import Computation, Facts, Sought

Cut = Literal["columns", "interleaved", "tokens"]
Merge = Literal["columns", "interleaved", "unmoved", "reversed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """One way to attend with several heads. `turned` names projections whose matrix is transposed."""

    attention: Attention
    heads: int
    cut: Cut = "columns"
    merge: Merge = "columns"
    turned: frozenset[int] = frozenset()


def multi_heads(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """Input `(batch, tokens, width)`, then four square matrices; the number of heads is a whole number given."""
    floats = observation.floats
    if len(floats) < 5 or floats[0].ndim != 3 or not _are_square(floats[1:5], floats[0].shape[-1]):
        return
    x, *matrices = floats[:5]
    width = x.shape[-1]
    forms = [
        Heads(attention=Attention(scale=(width / heads) ** -0.5, mask=mask), heads=heads, turned=frozenset(turned))
        for heads in observation.integers
        if heads > 0 and width % heads == 0 and x.shape[0] * heads * x.shape[1] ** 2 <= MOST_CELLS
        for mask in ("none", "causal")
        for turned in ((), range(4))
    ]
    sizes = {"w": width, "n": x.shape[1], "b": x.shape[0]}
    yield from computations(
        observation, forms, partial(_compute, x, matrices), vary=partial(_vary, sizes=sizes), sought=sought
    )


def _are_square(matrices: list[Numbers], width: int) -> bool:
    return all(matrix.shape == (width, width) for matrix in matrices)


def _compute(x: Numbers, matrices: list[Numbers], form: Heads) -> list[Numbers]:
    wq, wk, wv, wo = (matrix.T if place in form.turned else matrix for place, matrix in enumerate(matrices))
    query, key, value = (_cut(x @ matrix, form) for matrix in (wq, wk, wv))
    output, weights, _ = attend(query, key, value, form.attention)
    return [_merged(output, form) @ wo, weights]


def _cut(x: Numbers, form: Heads) -> Numbers:
    """`(batch, tokens, width)` as `(batch, heads, tokens, width of a head)`."""
    batch, tokens, width = x.shape
    if form.cut == "tokens":
        return x.reshape(batch, form.heads, tokens, -1)
    if form.cut == "interleaved":
        return np.moveaxis(x.reshape(batch, tokens, width // form.heads, form.heads), -1, 1)
    return np.moveaxis(x.reshape(batch, tokens, form.heads, -1), 2, 1)


def _merged(x: Numbers, form: Heads) -> Numbers:
    """The reverse of `_cut`."""
    batch, heads, tokens, width = x.shape
    if form.merge == "unmoved":
        return x.reshape(batch, tokens, heads * width)
    if form.merge == "interleaved":
        return np.moveaxis(x, 1, -1).reshape(batch, tokens, -1)
    ordered = x[:, ::-1] if form.merge == "reversed" else x
    return np.moveaxis(ordered, 1, 2).reshape(batch, tokens, -1)


def _vary(form: Heads, *, sizes: dict[str, int]) -> Iterator[Varied[Heads]]:
    known = {"d": sizes["w"] // form.heads, **sizes, "h": form.heads}
    for varied in vary_attention(form.attention, ndim=4, sizes=known):
        changed = replace(form, attention=varied.form)
        yield Varied(cause=varied.cause, variant=varied.variant, form=changed, words=varied.words)
    merges: list[tuple[Cause, Merge]] = [
        (Cause.PERMUTED, "unmoved"),
        (Cause.HEADS_REORDERED, "interleaved"),
        (Cause.HEADS_REORDERED, "reversed"),
    ]
    for cause, merge in merges:
        yield Varied(cause=cause, variant=f"merge {merge}", form=replace(form, merge=merge))
    cuts: list[tuple[Cause, Cut, Merge]] = [
        (Cause.PERMUTED, "tokens", "columns"),
        (Cause.PERMUTED, "tokens", "unmoved"),
        (Cause.HEADS_REORDERED, "interleaved", "columns"),
        (Cause.HEADS_REORDERED, "interleaved", "interleaved"),
    ]
    for cause, cut, merge in cuts:
        yield Varied(cause=cause, variant=f"cut {cut}, merge {merge}", form=replace(form, cut=cut, merge=merge))
    for places in ((0,), (1,), (2,), (3,), (0, 1, 2), (0, 1, 2, 3)):
        words: Facts = {"inside": "projection"}
        changed = replace(form, turned=form.turned ^ frozenset(places))
        yield Varied(cause=Cause.TRANSPOSED, variant=f"matrices {places}", form=changed, words=words)
