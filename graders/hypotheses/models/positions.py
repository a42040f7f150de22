"""Sinusoidal and rotary positions: angles with another exponent or start, columns laid out otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.models.model import Varied, computations
from graders.hypotheses.observations import Observation
from graders.hypotheses.predictions import Computation, Facts, Sought

BASE: Final = 10000.0  # Vaswani et al., Attention Is All You Need, section 3.5
CELLS: Final = 2**16
"""The largest table that is computed here."""

Layout = Literal["interleaved", "halves", "split out"]
Turn = Literal["", "back", "no minus", "swapped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Angles:
    """Angles of position p and pair i: (p + start) · factor · base^(−exponent · i / width)."""

    base: float
    exponent: float = 2.0
    start: int = 0
    factor: float = 1.0
    layout: Layout = "interleaved"
    turn: Turn = ""
    axis: int = -2

    def table(self, positions: int, width: int) -> Numbers:
        """`(positions, width / 2)`, in radians."""
        steps = np.arange(width // 2)
        rates = self.base ** (-self.exponent * steps / width)
        return np.asarray((np.arange(positions)[:, None] + self.start) * rates * self.factor)


def sinusoids(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """A table of sines and cosines from two whole numbers: positions, and an even width."""
    sizes = observation.integers
    if len(sizes) < 2 or observation.tensors or min(sizes[:2]) < 1 or sizes[0] * sizes[1] > CELLS or sizes[1] % 2:
        return
    layouts: tuple[Layout, ...] = ("interleaved", "halves")
    forms = [Angles(base=base, layout=layout) for base in _bases(observation) for layout in layouts]
    yield from computations(observation, forms, partial(_sines, sizes[0], sizes[1]), vary=_vary_table, sought=sought)


def rotations(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """A tensor `(…, positions, width)` whose pairs of columns are turned by the angle of their position."""
    floats = observation.floats
    if len(floats) != 1 or floats[0].ndim < 2 or floats[0].shape[-1] % 2:
        return
    layouts: tuple[Layout, ...] = ("interleaved", "halves")
    axes = (-2, -3)[: floats[0].ndim - 1]
    forms = [
        Angles(base=base, layout=layout, axis=axis)
        for base in _bases(observation)
        for layout in layouts
        for axis in axes
    ]
    yield from computations(
        observation, forms, partial(_turned, floats[0]), vary=partial(_vary_turn, ndim=floats[0].ndim), sought=sought
    )


def _bases(observation: Observation) -> list[float]:
    return [*(option for option in observation.options.values() if option > 0), BASE]


def _sines(positions: int, width: int, form: Angles) -> list[Numbers]:
    angles = form.table(positions, width)
    pair = (np.cos(angles), np.sin(angles)) if form.turn == "swapped" else (np.sin(angles), np.cos(angles))
    return [_laid_out(pair, form.layout)]


def _laid_out(pair: tuple[Numbers, Numbers], layout: Layout) -> Numbers:
    if layout == "interleaved":
        return np.stack(pair, axis=-1).reshape(*pair[0].shape[:-1], -1)
    return np.concatenate(pair, axis=-1)


def _turned(x: Numbers, form: Angles) -> list[Numbers]:
    width = x.shape[-1]
    angles = form.table(x.shape[form.axis], width)
    angles = angles.reshape(x.shape[form.axis], *[1] * (-form.axis - 2), width // 2)
    halves = (x[..., : width // 2], x[..., width // 2 :])
    a, b = halves if form.layout == "halves" else (x[..., 0::2], x[..., 1::2])
    cosine, sine = np.cos(angles), np.sin(angles)
    if form.turn == "swapped":
        cosine, sine = sine, cosine
    sine = -sine if form.turn == "back" else sine
    minus = 1 if form.turn == "no minus" else -1
    pair = (a * cosine + minus * b * sine, a * sine + b * cosine)
    return [_laid_out(pair, "halves" if form.layout == "split out" else form.layout)]


def _vary(form: Angles) -> Iterator[Varied[Angles]]:
    """What both kinds may have otherwise: start, exponent, factor, base, order of columns."""
    for start in (1, -1):
        words: Facts = {"axis": 0, "step": 1}
        yield Varied(cause=Cause.ROLLED, variant=f"start {start}", form=replace(form, start=start), words=words)
    for name, exponent in {"1": 1.0, "4": 4.0, "1/2": 0.5, "0": 0.0}.items():
        words = {"exponent": True}
        yield Varied(cause=Cause.POWER, variant=f"exponent {name}", form=replace(form, exponent=exponent), words=words)
    for name, factor in {"2π": 2 * np.pi, "π": np.pi, "2": 2.0, "1/2": 0.5, "π/180": np.pi / 180}.items():
        words = {"factor": factor, "named": name, "of": "", "varies": False, "angle": True}
        yield Varied(cause=Cause.SCALED, variant=f"angle {name}", form=replace(form, factor=factor), words=words)
    for base in (1000.0, 100.0, 100000.0):
        words = {"factor": base / form.base, "named": "", "of": "", "varies": False, "base": True}
        yield Varied(cause=Cause.SCALED, variant=f"base {base:g}", form=replace(form, base=base), words=words)
    yield Varied(
        cause=Cause.SIGN, variant="exponent", form=replace(form, exponent=-form.exponent), words={"exponent": True}
    )
    changed = replace(form, factor=-form.factor)
    yield Varied(cause=Cause.SIGN, variant="angle", form=changed, words={"angle": True})
    changed = replace(form, turn="swapped")
    yield Varied(cause=Cause.ROWS_REORDERED, variant="swapped", form=changed, words={"pairs": True})


def _vary_table(form: Angles) -> Iterator[Varied[Angles]]:
    layout: Layout = "interleaved" if form.layout == "halves" else "halves"
    yield Varied(cause=Cause.ROWS_REORDERED, variant="columns", form=replace(form, layout=layout))
    yield from _vary(form)


def _vary_turn(form: Angles, *, ndim: int) -> Iterator[Varied[Angles]]:
    yield Varied(cause=Cause.SIGN, variant="back", form=replace(form, turn="back"), words={"turn": True})
    yield Varied(cause=Cause.SIGN, variant="no minus", form=replace(form, turn="no minus"), words={"turn": True})
    other: Layout = "interleaved" if form.layout == "halves" else "halves"
    yield Varied(cause=Cause.OTHER_PAIRS, variant="columns", form=replace(form, layout=other))
    yield Varied(cause=Cause.ROWS_REORDERED, variant="split out", form=replace(form, layout="split out"))
    for axis in range(-2, -ndim - 1, -1):
        yield Varied(
            cause=Cause.TRANSPOSED,
            variant=f"positions {axis}",
            form=replace(form, axis=axis),
            words={"inside": "positions"},
        )
    yield from _vary(form)
