"""The expected values seen beside the inputs: an input returned, left out, or taken the other way."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from graders.arrays import Numbers, in_float64
from graders.hypotheses.causes import Cause
from graders.hypotheses.factors import SAME
from graders.hypotheses.observations import Leaf, Observation
from graders.hypotheses.predictions import Prediction


def input_returned(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """An argument comes back as it went in."""
    for tensor in observation.tensors:
        yield Prediction(cause=Cause.INPUT_RETURNED, variant="", values=in_float64(tensor), weight=1.0)


def residual_missing(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """What lacks is just an input: it is not added."""
    for place, values in enumerate(observation.floats):
        if values.shape == leaf.expected.shape:
            missing = leaf.expected - values
            yield Prediction(cause=Cause.RESIDUAL_MISSING, variant=str(place), values=missing, weight=0.95)


def other_direction(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """The step away from an input has the opposite sign, or another length."""
    for place, values in enumerate(observation.floats):
        if not leaf.is_aligned or values.shape != leaf.expected.shape:
            continue
        step = leaf.expected - values
        yield Prediction(cause=Cause.SIGN, variant=f"from {place}", values=values - step, weight=0.95)
        taken_off = leaf.expected - 2 * values
        yield Prediction(cause=Cause.SIGN, variant=f"without {place}", values=taken_off, weight=0.94)
        factor = _factor(step, leaf.actual - values)
        if factor is not None:
            yield from _lengthened(observation, place, values, step=step, factor=factor, is_wrong=leaf.is_wrong)


def vector_missing(observation: Observation, leaf: Leaf) -> Iterator[Prediction]:
    """What differs is one vector of the inputs, along one axis: it is not added, or taken off."""
    vectors = [*observation.floats, *observation.state]
    for place, vector in enumerate(vectors):
        for axis in range(-1, -leaf.expected.ndim - 1, -1):
            if vector.ndim != 1 or leaf.expected.ndim < 2 or vector.shape[0] != leaf.expected.shape[axis]:
                continue
            along = vector.reshape(-1, *[1] * (-axis - 1))
            yield Prediction(
                cause=Cause.SHIFTED,
                variant=f"{place} {axis}",
                values=leaf.expected - along,
                weight=0.95,
                words={"vector": True},
            )
            yield Prediction(cause=Cause.SIGN, variant=f"{place} {axis}", values=leaf.expected - 2 * along, weight=0.94)


def _factor(step: Numbers, taken: Numbers) -> float | None:
    total = float((np.abs(step) ** 2).sum())
    factor = float(np.real(np.conj(step) * taken).sum()) / total if total > 0 else 0.0
    return factor if math.isfinite(factor) and factor != 0 else None


def _lengthened(
    observation: Observation, place: int, values: Numbers, *, step: Numbers, factor: float, is_wrong: bool
) -> Iterator[Prediction]:
    """The step times a factor, with its name where an argument gives it (a rate that is missing, or there twice)."""
    words = {"factor": factor, "named": "", "of": "", "varies": False, "step": True}
    predicted = values + factor * step
    named = {f"{key}": number for key, number in enumerate(observation.numbers)} | observation.options
    for name, number in named.items():
        for form in (1, -1):
            if number > 0 and abs(factor - number**form) <= SAME * factor:
                known = words | {"named": f"{number:g}" if form > 0 else f"1/{number:g}", "of": "an argument"}
                yield Prediction(
                    cause=Cause.SCALED, variant=f"{place} {name}^{form}", values=predicted, weight=0.9, words=known
                )
    yield Prediction(
        cause=Cause.SCALED,
        variant=f"step {place}",
        values=predicted,
        weight=0.85,
        parameter=factor,
        words=words,
    )
    if is_wrong and step.size >= 4:
        yield Prediction(cause=Cause.SCALED, variant=f"step {place} varying", values=predicted, weight=0.6, words=words)
