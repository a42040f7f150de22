"""Softmax and what is mistaken for it: the weights of a row of scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.models.model import Varied, computations
from graders.hypotheses.observations import Observation
from graders.hypotheses.predictions import Computation, Facts, Sought

Axis = int | tuple[int, ...] | None


def softmax(scores: Numbers, axis: Axis) -> Numbers:
    """exp(scores) over its sum along `axis`; all axes where it is None."""
    raised = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return np.asarray(raised / raised.sum(axis=axis, keepdims=True))


def _exponentials(scores: Numbers, axis: Axis) -> Numbers:
    return np.asarray(np.exp(scores))


def _shifted_exponentials(scores: Numbers, axis: Axis) -> Numbers:
    return np.asarray(np.exp(scores - scores.max(axis=axis, keepdims=True)))


def _over_mean(scores: Numbers, axis: Axis) -> Numbers:
    raised = _shifted_exponentials(scores, axis)
    return np.asarray(raised / raised.mean(axis=axis, keepdims=True))


def _over_norm(scores: Numbers, axis: Axis) -> Numbers:
    raised = _shifted_exponentials(scores, axis)
    return np.asarray(raised / np.sqrt((raised**2).sum(axis=axis, keepdims=True)))


def _logarithm(scores: Numbers, axis: Axis) -> Numbers:
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)))


def _base(base: float, scores: Numbers, axis: Axis) -> Numbers:
    return softmax(scores * np.log(base), axis)


def _without_exponential(scores: Numbers, axis: Axis) -> Numbers:
    return np.asarray(scores / scores.sum(axis=axis, keepdims=True))


def _squares(scores: Numbers, axis: Axis) -> Numbers:
    return _without_exponential(scores**2, axis)


def _twice(scores: Numbers, axis: Axis) -> Numbers:
    return softmax(softmax(scores, axis), axis)


def _below_largest(scores: Numbers, axis: Axis) -> Numbers:
    return np.asarray(scores - scores.max(axis=axis, keepdims=True))


def _scores(scores: Numbers, axis: Axis) -> Numbers:
    return scores


Weighing = Callable[[Numbers, Axis], Numbers]
WEIGHINGS: Final[tuple[tuple[Cause, str, Weighing], ...]] = (
    (Cause.NOT_NORMALISED, "exponentials", _exponentials),
    (Cause.NOT_NORMALISED, "exponentials below the largest", _shifted_exponentials),
    (Cause.NOT_NORMALISED, "over the norm", _over_norm),
    (Cause.MEAN_FOR_SUM, "over the mean", _over_mean),
    (Cause.LOGITS, "scores", _scores),
    (Cause.LOGITS, "twice", _twice),
    (Cause.LOG_OR_EXP, "logarithm", _logarithm),
    (Cause.LOG_OR_EXP, "base 2", partial(_base, 2.0)),
    (Cause.LOG_OR_EXP, "base 10", partial(_base, 10.0)),
    (Cause.LOGITS, "no exponential", _without_exponential),
    (Cause.LOGITS, "scores below the largest", _below_largest),
    (Cause.POWER, "squares", _squares),
)
"""What may stand in place of the softmax, and the cause that each of them is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A softmax of one tensor."""

    axis: Axis = -1
    factor: float = 1.0
    weigh: Weighing = softmax


def softmaxes(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """Weights of one tensor of scores, varied in axis, factor, sign and in what is divided by what."""
    for scores in observation.floats:
        if scores.ndim:
            forms = [Form(axis=axis, weigh=weigh) for weigh in (softmax, _logarithm) for axis in axes_of(scores.ndim)]
            yield from computations(
                observation, forms, partial(_compute, scores), vary=partial(_vary, scores), sought=sought
            )


def axes_of(ndim: int) -> list[Axis]:
    """Each axis from the last, by its place from the end."""
    return list(range(-1, -ndim - 1, -1))


def named_axes(ndim: int) -> dict[str, Axis]:
    """Each axis by its place from the end and from the front, and all of them: cases may differ in their number."""
    from_the_end: dict[str, Axis] = {f"axis {axis}": axis for axis in range(-1, -ndim - 1, -1)}
    return from_the_end | {f"axis {axis}": axis - ndim for axis in range(ndim)} | {"all axes": None}


def _compute(scores: Numbers, form: Form) -> list[Numbers]:
    return [form.weigh(form.factor * scores, form.axis)]


def _vary(scores: Numbers, form: Form) -> Iterator[Varied[Form]]:
    for name, axis in named_axes(scores.ndim).items():
        words: Facts = {"axis": "all" if axis is None else axis}
        changed = replace(form, axis=axis)
        yield Varied(cause=Cause.OTHER_AXIS_SOFTMAX, variant=name, form=changed, words=words)
    for cause, variant, weigh in WEIGHINGS:
        if form.weigh is softmax:
            yield Varied(cause=cause, variant=variant, form=replace(form, weigh=weigh), words={"function": variant})
    yield Varied(cause=Cause.SIGN, variant="scores", form=replace(form, factor=-1.0), words={"inside": True})
    assert isinstance(form.axis, int)
    length = scores.shape[form.axis]
    for name, factor in {"2": 2.0, "1/2": 0.5, f"1/√{length}": length**-0.5, f"√{length}": length**0.5}.items():
        words = {"factor": factor, "named": name, "of": "", "varies": False, "inside": True}
        yield Varied(
            cause=Cause.SCALED, variant=name.replace(str(length), "n"), form=replace(form, factor=factor), words=words
        )
