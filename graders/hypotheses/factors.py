"""The expected values times or plus a constant: scaled, summed for averaged, biased, negated, shifted."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.observations import Leaf, Observation, Size
from graders.hypotheses.predictions import Prediction

SAME: Final = 1e-3
"""How far a measured factor may be from a named one, relative to it."""

FEWEST_IN_ROW: Final = 3
"""In shorter rows one number for each says too little."""

LOGARITHMS: Final = {"ln 2": math.log(2), "ln 10": math.log(10)}
CONSTANTS: Final = {"2": 2.0, "3": 3.0, "4": 4.0, "π": math.pi, "2π": 2 * math.pi, "√2": math.sqrt(2)}


def scaled(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Every value times one factor, with its name where a size of the inputs gives it."""
    factor = fitted_factor(leaf)
    if factor is None:
        return
    values = factor * leaf.expected
    yield _prediction(Cause.SCALED, "constant", values, weight=0.85, factor=factor)
    for size in observation.sizes:
        for form, power in (("", 1.0), ("√", 0.5), ("²", 2.0)):
            for sign in (1, -1):
                if size.value > 1 and _is(factor, size.value ** (sign * power)):
                    yield _named(size, f"{form}{sign}", values, weight=0.9 if form else 0.89, factor=factor)
    if leaf.is_wrong and leaf.expected.size >= 4:
        yield _prediction(Cause.SCALED, "varying", values, weight=0.6, factor=factor)


def summed(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Sums for means or the reverse: a factor that is the number of values taken together."""
    factor = fitted_factor(leaf)
    if factor is None:
        return
    yield _prediction(Cause.MEAN_FOR_SUM, "none", leaf.expected, weight=0.0, factor=factor)
    largest = max((tensor.values.size for tensor in observation.tensors), default=0)
    if leaf.expected.size >= largest:
        return  # Nothing was taken together.
    for size in observation.sizes:
        for sign in (1, -1):
            if size.value > 1 and _is(factor, float(size.value) ** sign):
                values = factor * leaf.expected
                yield Prediction(
                    cause=Cause.MEAN_FOR_SUM,
                    variant=f"{size.key}^{sign}",
                    values=values,
                    weight=0.95,
                    words={"factor": factor, "count": size.value, "summed": sign > 0},
                )


def biased(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Divided by n where n − 1 belongs, or the reverse, or the root of that: n is a size of the inputs."""
    factor = fitted_factor(leaf)
    if factor is None:
        return
    yield _prediction(Cause.BIASED, "none", leaf.expected, weight=0.0, factor=factor)
    for size in observation.sizes:
        if size.value < 2:
            continue
        for power in (1.0, -1.0, 0.5, -0.5):
            if _is(factor, (size.value / (size.value - 1)) ** power):
                yield Prediction(
                    cause=Cause.BIASED,
                    variant=f"{size.key}^{power}",
                    values=factor * leaf.expected,
                    weight=0.92,
                    words={"factor": factor, "count": size.value},
                )


def other_base(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """A logarithm to base 2 or 10 in place of the natural one, or the reverse: the factor is ln 2 or ln 10."""
    for name, logarithm in LOGARITHMS.items():
        for sign in (1, -1):
            yield Prediction(
                cause=Cause.LOG_OR_EXP,
                variant=f"{name}^{sign}",
                values=leaf.expected * logarithm**sign,
                weight=0.95,
                words={"function": f"{'times' if sign > 0 else 'divided by'} {name}"},
            )


def negated(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Every value with the opposite sign, negative ones without theirs, or imaginary parts with the opposite one."""
    yield Prediction(cause=Cause.SIGN, variant="all", values=-leaf.expected, weight=0.98)
    if np.isrealobj(leaf.expected):
        yield Prediction(
            cause=Cause.SIGN, variant="lost", values=np.abs(leaf.expected), weight=0.7, words={"lost": True}
        )
    else:
        words = {"conjugate": True}
        yield Prediction(cause=Cause.SIGN, variant="conjugate", values=np.conj(leaf.expected), weight=0.9, words=words)


def reflected(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Every value taken off one constant: 1 - p for p."""
    if not leaf.is_aligned or not np.isfinite(leaf.actual).all():
        return
    total = float(np.real(leaf.actual + leaf.expected).mean())
    yield Prediction(
        cause=Cause.SIGN,
        variant="off a constant",
        values=total - leaf.expected,
        weight=0.8,
        parameter=total,
        words={"total": total},
    )


def shifted(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """Every value plus one constant, or each row plus one of its own."""
    if not leaf.is_aligned or not np.isfinite(leaf.actual).all():
        return
    by = float(np.real(leaf.actual - leaf.expected).mean())
    values = leaf.expected + by
    yield Prediction(
        cause=Cause.SHIFTED, variant="constant", values=values, weight=0.85, parameter=by, words={"by": by}
    )
    if leaf.is_wrong and leaf.expected.size >= 4:
        yield Prediction(cause=Cause.SHIFTED, variant="varying", values=values, weight=0.65, words={"by": by})
    if leaf.expected.ndim >= 2 and leaf.expected.shape[-1] >= FEWEST_IN_ROW:
        rows = (leaf.actual - leaf.expected).mean(axis=-1, keepdims=True)
        yield Prediction(
            cause=Cause.SHIFTED, variant="rows", values=leaf.expected + rows, weight=0.6, words={"rows": True}
        )


def fitted_factor(leaf: Leaf) -> float | None:
    """The factor that brings expected nearest to actual; None where there is none to speak of."""
    if not leaf.is_aligned or not np.isfinite(leaf.actual).all() or not np.isfinite(leaf.expected).all():
        return None
    total = float((np.abs(leaf.expected) ** 2).sum())
    if total == 0:
        return None
    factor = float(np.real(np.conj(leaf.expected) * leaf.actual).sum()) / total
    return factor if math.isfinite(factor) and factor != 0 else None


def _is(factor: float, named: float) -> bool:
    return math.isclose(factor, named, rel_tol=SAME)


def _prediction(cause: Cause, variant: str, values: Numbers, *, weight: float, factor: float) -> Prediction:
    parameter = factor if variant == "constant" else None
    name = next((name for name, value in CONSTANTS.items() if _is(factor, value)), "")
    words = {"factor": factor, "named": name, "of": "", "varies": variant == "varying"}
    return Prediction(cause=cause, variant=variant, values=values, weight=weight, parameter=parameter, words=words)


def _named(size: Size, form: str, values: Numbers, *, weight: float, factor: float) -> Prediction:
    words = {"factor": factor, "named": named_size(size.value, form), "of": size.words, "size": size.value}
    return Prediction(cause=Cause.SCALED, variant=f"{size.key}{form}", values=values, weight=weight, words=words)


def named_size(size: int, form: str) -> str:
    """A form of `scaled` (as `√-1`) in the usual notation: "1/√64"."""
    root = f"√{size}" if "√" in form else f"{size}²" if "²" in form else str(size)
    return f"1/{root}" if "-" in form else root
