"""Cross entropy of logits and classes: what it would be with another reduction, base, axis or input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.models.model import Varied, computations
from graders.hypotheses.models.softmaxes import Axis, softmax
from graders.hypotheses.observations import Observation
from graders.hypotheses.predictions import Computation, Facts, Sought

Rate = Callable[[Numbers, Axis], Numbers]
Reduction = Literal["mean", "sum", "none", "all", "less one", "pairs"]


def _log_softmax(logits: Numbers, axis: Axis) -> Numbers:
    shifted = logits - logits.max(axis=axis, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)))


def _based(base: float, logits: Numbers, axis: Axis) -> Numbers:
    return np.asarray(_log_softmax(logits, axis) / np.log(base))


def _logits(logits: Numbers, axis: Axis) -> Numbers:
    return logits


def _log_of_logits(logits: Numbers, axis: Axis) -> Numbers:
    return np.asarray(np.log(logits))


def _twice(logits: Numbers, axis: Axis) -> Numbers:
    return _log_softmax(softmax(logits, axis), axis)


def _below_largest(logits: Numbers, axis: Axis) -> Numbers:
    return np.asarray(logits - logits.max(axis=axis, keepdims=True))


def _less_logarithm(logits: Numbers, axis: Axis) -> Numbers:
    return np.asarray(logits - np.exp(logits - logits.max(axis=axis, keepdims=True)).sum(axis=axis, keepdims=True))


def _over_mean(logits: Numbers, axis: Axis) -> Numbers:
    return np.asarray(_log_softmax(logits, axis) + np.log(logits.shape[-1]))


def _log_plus_one(logits: Numbers, axis: Axis) -> Numbers:
    return np.asarray(np.log1p(softmax(logits, axis)))


def _squares(logits: Numbers, axis: Axis) -> Numbers:
    return np.asarray(-((1 - softmax(logits, axis)) ** 2))


RATES: Final[tuple[tuple[Cause, str, Rate], ...]] = (
    (Cause.LOG_OR_EXP, "no logarithm", softmax),
    (Cause.LOG_OR_EXP, "base 2", partial(_based, 2.0)),
    (Cause.LOG_OR_EXP, "base 10", partial(_based, 10.0)),
    (Cause.LOG_OR_EXP, "logarithm of 1 plus it", _log_plus_one),
    (Cause.LOG_OR_EXP, "sum of exponentials", _less_logarithm),
    (Cause.LOGITS, "logits", _logits),
    (Cause.LOGITS, "logarithm of logits", _log_of_logits),
    (Cause.LOGITS, "twice", _twice),
    (Cause.NOT_NORMALISED, "below the largest", _below_largest),
    (Cause.MEAN_FOR_SUM, "over the mean", _over_mean),
    (Cause.POWER, "squares", _squares),
)
"""What may stand in place of the logarithm of the softmax, and the cause that each of them is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """One way to compute it. `shift` moves the classes, `sign` is the sign in front."""

    rate: Rate = _log_softmax
    axis: Axis = -1
    reduction: Reduction = "mean"
    shift: int = 0
    sign: float = -1.0
    temperature: float = 1.0


def losses(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """Logits `(n, classes)` and classes `(n)`, as the first tensors of floats and of integers."""
    targets = [tensor.values for tensor in observation.tensors if tensor.kind == "integer"]
    floats = observation.floats
    if not targets or not floats or floats[0].ndim != 2 or targets[0].shape != floats[0].shape[:1]:
        return
    logits, target = floats[0], targets[0].astype(np.int64)
    if target.min() < 0 or target.max() >= logits.shape[1]:
        return
    forms = [Loss(reduction=reduction) for reduction in ("mean", "sum", "none")]
    yield from computations(observation, forms, partial(_compute, logits, target), vary=_vary, sought=sought)


def _compute(logits: Numbers, target: Numbers, form: Loss) -> list[Numbers]:
    rates = form.rate(logits / form.temperature, form.axis)
    rows, classes = logits.shape
    chosen = form.sign * rates[np.arange(rows), (target + form.shift) % classes]
    if form.reduction == "none":
        return [chosen]
    if form.reduction == "pairs":
        return [np.asarray(form.sign * rates.mean(axis=0)[target].mean())]
    divisors = {"mean": rows, "sum": 1, "all": rows * classes, "less one": max(rows - 1, 1)}
    return [np.asarray(chosen.sum() / divisors[form.reduction])]


def _vary(form: Loss) -> Iterator[Varied[Loss]]:
    yield Varied(cause=Cause.SIGN, variant="sign", form=replace(form, sign=-form.sign))
    for cause, variant, rate in RATES:
        yield Varied(cause=cause, variant=variant, form=replace(form, rate=rate), words={"function": variant})
        opposite = replace(form, rate=rate, sign=-form.sign)
        yield Varied(cause=cause, variant=f"{variant}, negated", form=opposite, weight=0.9, words={"function": variant})
    for axis in (0, None):
        words: Facts = {"axis": "all" if axis is None else axis}
        yield Varied(cause=Cause.OTHER_AXIS_SOFTMAX, variant=f"axis {axis}", form=replace(form, axis=axis), words=words)
    reductions: list[tuple[Cause, Reduction]] = [
        (Cause.MEAN_FOR_SUM, "sum"),
        (Cause.MEAN_FOR_SUM, "mean"),
        (Cause.MEAN_FOR_SUM, "all"),
        (Cause.BIASED, "less one"),
        (Cause.BROADCAST, "none"),
        (Cause.BROADCAST, "pairs"),
    ]
    for cause, reduction in reductions:
        yield Varied(cause=cause, variant=reduction, form=replace(form, reduction=reduction))
    for shift in (1, -1):
        words = {"axis": 1, "step": 1}
        yield Varied(cause=Cause.ROLLED, variant=f"classes {shift}", form=replace(form, shift=shift), words=words)
    for temperature in (2.0, 0.5):
        words = {"factor": 1 / temperature, "named": "", "of": "", "varies": False, "inside": True}
        changed = replace(form, temperature=temperature)
        yield Varied(cause=Cause.SCALED, variant=f"temperature {temperature}", form=changed, words=words)
