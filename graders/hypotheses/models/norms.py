"""Layer, batch, instance and RMS normalisation: over other axes, with other moments, without eps."""

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
from graders.hypotheses.predictions import Computation, Sought

USUAL_EPS: Final = (1e-5, 1e-6, 1e-8, 1e-12, 0.0)
MOMENTUM: Final = 0.1  # torch.nn.BatchNorm1d, torch 2.13

Divisor = Literal["root", "variance", "none", "sum", "absolute", "times", "double root"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Norm:
    """One way to normalise. `channel` is the axis of weight and bias; of the signs of mean and bias 0 leaves it out."""

    axes: tuple[int, ...]
    channel: int
    eps: float
    mean: float = 1.0
    variance_about_mean: bool = True
    correction: int = 0
    divisor: Divisor = "root"
    bias: float = 1.0
    weight: float = 1.0
    running_correction: int = 1
    running_power: float = 1.0
    momentum: float = MOMENTUM


def norms(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """The first tensor is normalised; vectors that follow are weight and bias, or running mean and variance."""
    floats = observation.floats
    if not floats or floats[0].ndim < 1 or all(leaf.expected.shape != floats[0].shape for leaf in observation.leaves):
        return
    x, vectors = floats[0], [array for array in floats[1:] if array.ndim == 1]
    forms = list(_forms(x, vectors, observation.options))
    yield from computations(
        observation, forms, partial(_compute, x, vectors), vary=partial(_vary, ndim=x.ndim), sought=sought
    )


def _forms(x: Numbers, vectors: list[Numbers], options: dict[str, float]) -> Iterator[Norm]:
    """Likely readings of the exercise, the most common first; what is given by name holds."""
    epsilons = (options["eps"],) if "eps" in options else USUAL_EPS
    momentum = options.get("momentum", MOMENTUM)
    ndim = x.ndim
    layouts: list[tuple[tuple[int, ...], int]] = [((-1,), -1)]
    if ndim > 1:
        layouts += [(tuple(axis for axis in range(-ndim, 0) if axis != 1 - ndim), 1 - ndim), ((-ndim,), -1)]
    if ndim > 2:
        layouts += [(tuple(range(2 - ndim, 0)), 1 - ndim), (tuple(range(1 - ndim, 0)), 1 - ndim)]
    for axes, channel in layouts:
        if all(vector.shape[0] == x.shape[channel] for vector in vectors):
            for eps in epsilons:
                for mean in (1.0, 0.0):
                    yield Norm(
                        axes=axes, channel=channel, eps=eps, mean=mean, variance_about_mean=mean == 1, momentum=momentum
                    )


def _compute(x: Numbers, vectors: list[Numbers], form: Norm) -> list[Numbers]:
    """Normalised with weight and bias, with weight, as it is; then running mean and variance."""
    mean = x.mean(axis=form.axes, keepdims=True)
    about = mean if form.variance_about_mean else 0.0
    count = int(np.prod([x.shape[axis] for axis in form.axes]))
    squares = ((x - about) ** 2).sum(axis=form.axes, keepdims=True)
    variance = squares / (count - form.correction)
    plain = _divided(x - form.mean * mean, variance, form, count=count)
    along = [vector.reshape(-1, *[1] * (-form.channel - 1)) for vector in vectors]
    weight = along[0] if along else np.ones(())
    weighted = plain * (weight if form.weight == 1 else 1.0)
    results = [weighted + form.bias * (along[1] if len(along) > 1 else 0.0), weighted, plain]
    if len(vectors) > 1:
        results += _running(x, vectors, form)
    return results


def _divided(centred: Numbers, variance: Numbers, form: Norm, *, count: int) -> Numbers:
    if form.divisor == "sum":
        variance = variance * count
    if form.divisor == "absolute":
        variance = np.abs(centred).mean(axis=form.axes, keepdims=True) ** 2
    divisors = {
        "variance": variance + form.eps,
        "none": np.ones(()),
        "times": 1 / np.sqrt(variance + form.eps),
        "double root": np.sqrt(np.sqrt(variance + form.eps)),
    }
    return np.asarray(centred / divisors.get(form.divisor, np.sqrt(variance + form.eps)))


def _running(x: Numbers, vectors: list[Numbers], form: Norm) -> list[Numbers]:
    """Running mean and variance of the channels, whatever the output is normalised over."""
    rows = np.moveaxis(x, form.channel, -1).reshape(-1, x.shape[form.channel])
    variance = len(rows) * rows.var(axis=0) / max(len(rows) - form.running_correction, 1)
    fresh = (rows.mean(axis=0), variance**form.running_power)
    return [(1 - form.momentum) * old + form.momentum * new for old, new in zip(vectors, fresh, strict=False)]


def _vary(form: Norm, *, ndim: int) -> Iterator[Varied[Norm]]:
    yield from _axes(form, ndim)
    divisors: list[tuple[Cause, Divisor]] = [
        (Cause.POWER, "variance"),
        (Cause.POWER, "double root"),
        (Cause.POWER, "absolute"),
        (Cause.POWER, "times"),
        (Cause.NOT_NORMALISED, "none"),
        (Cause.MEAN_FOR_SUM, "sum"),
    ]
    yield Varied(cause=Cause.EPS_MISSING, variant="eps", form=replace(form, eps=0.0))
    for cause, divisor in divisors:
        yield Varied(cause=cause, variant=divisor, form=replace(form, divisor=divisor), words={"function": divisor})
    yield Varied(cause=Cause.BIASED, variant="output", form=replace(form, correction=1))
    yield Varied(cause=Cause.BIASED, variant="running", form=replace(form, running_correction=0))
    yield Varied(cause=Cause.BIASED, variant="swapped", form=replace(form, correction=1, running_correction=0))
    yield Varied(cause=Cause.POWER, variant="running", form=replace(form, running_power=0.5))
    if form.mean:
        yield Varied(cause=Cause.SHIFTED, variant="mean", form=replace(form, mean=0.0), words={"mean": True})
        yield Varied(cause=Cause.SIGN, variant="mean", form=replace(form, mean=-1.0))
    yield Varied(cause=Cause.SHIFTED, variant="bias", form=replace(form, bias=0.0), words={"vector": True})
    yield Varied(cause=Cause.SIGN, variant="bias", form=replace(form, bias=-1.0))
    yield Varied(cause=Cause.SCALED, variant="weight", form=replace(form, weight=0.0), words={"weight": True})


def _axes(form: Norm, ndim: int) -> Iterator[Varied[Norm]]:
    """Each single axis, all of them, and all but one; by their places from the end and from the front."""
    everything = tuple(range(-ndim, 0))
    choices: dict[str, tuple[int, ...]] = {"all": everything}
    for axis in everything:
        left = tuple(other for other in everything if other != axis) or everything
        for place in (axis, axis + ndim):
            choices |= {f"axis {place}": (axis,), f"all but {place}": left}
    for name, axes in choices.items():
        yield Varied(cause=Cause.OTHER_AXIS_NORMALISED, variant=name, form=replace(form, axes=axes))
