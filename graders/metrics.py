"""How well predictions meet targets: metrics of a training exercise, in float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from graders.arrays import Array, Numbers, Value, in_float64
from graders.mismatches import BLOCK, Description, Mismatch, describe
from graders.outcomes import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Training:
    """What a training exercise asks for: a metric of predictions, at most or at least so much.

    `steps` is how many steps of an optimiser may be made, None where that is free.
    """

    metric: str
    at_most: float | None = None
    at_least: float | None = None
    steps: int | None = None

    @classmethod
    def from_definition(cls, definition: Mapping[str, Any] | None) -> Training | None:
        """The training that exercise.yaml declares; None where it declares none."""
        if not definition:
            return None
        limits = {name: definition.get(name) for name in ("at_most", "at_least", "steps")}
        return cls(metric=definition["metric"], **limits)

    def is_met(self, measured: float) -> bool:
        """Whether the metric is good enough; not-a-number never is."""
        if self.at_most is not None and not measured <= self.at_most:
            return False
        return self.at_least is None or measured >= self.at_least


def measure(metric: str, predictions: Value, targets: Value) -> float | Mismatch:
    """The metric of predictions, or how they are not of the form that it takes.

    `mse`, `rmse` and `mae` take predictions of the targets' shape; `accuracy` takes numbers of classes of that shape,
    or a score for each class along one more last axis; `cross_entropy` (natural logarithm, mean) takes such scores.
    """
    expected = targets if isinstance(targets, Array) else None
    if expected is None or not isinstance(predictions, Array):
        return Mismatch(stage=Stage.STRUCTURE, path="", actual=describe(predictions), expected=describe(targets))
    if "complex" in (predictions.kind, expected.kind):
        return Mismatch(stage=Stage.DTYPE, path="", actual=describe(predictions), expected=describe(targets))
    form = _FORMS[metric](predictions, expected)
    if form is not None:
        return Mismatch(stage=Stage.SHAPE, path="", actual=describe(predictions), expected=form)
    with np.errstate(all="ignore"):
        return float(METRICS[metric](predictions.values, expected.values))


def _mse(predictions: Numbers, targets: Numbers) -> Any:
    return np.mean(np.abs(predictions.astype(np.float64) - targets) ** 2)


def _rmse(predictions: Numbers, targets: Numbers) -> Any:
    return np.sqrt(_mse(predictions, targets))


def _mae(predictions: Numbers, targets: Numbers) -> Any:
    return np.mean(np.abs(predictions.astype(np.float64) - targets))


def _accuracy(predictions: Numbers, targets: Numbers) -> Any:
    if predictions.shape == targets.shape:
        return np.mean(predictions == targets)
    classes = predictions.argmax(axis=-1)
    return np.mean((classes == targets) & ~np.isnan(predictions).any(axis=-1))


def _cross_entropy(predictions: Numbers, targets: Numbers) -> Any:
    """Not-a-number where a target names no class."""
    if not (np.isfinite(targets) & (targets >= 0) & (targets == np.floor(targets))).all():
        return math.nan
    scores, classes = predictions.reshape(-1, predictions.shape[-1]), targets.reshape(-1).astype(np.int64)
    # Scores for very many classes, of few bytes each, must not cost many times their size.
    at_once = max(BLOCK // scores.shape[1], 1)
    starts = range(0, len(scores), at_once)
    losses = [_losses(scores[start : start + at_once], classes[start : start + at_once]) for start in starts]
    return np.mean(np.concatenate(losses)) if losses else math.nan


def _losses(scores: Numbers, classes: Numbers) -> Numbers:
    """`(n)` for scores `(n, classes)`, a block of classes at a time."""
    largest = scores.max(axis=-1).astype(np.float64)
    total = np.zeros(len(scores))
    for start in range(0, scores.shape[1], BLOCK):
        total += np.exp(scores[:, start : start + BLOCK].astype(np.float64) - largest[:, None]).sum(axis=-1)
    chosen = scores[np.arange(len(scores)), classes].astype(np.float64)
    return np.asarray(np.log(total) - (chosen - largest))


METRICS: Final[Mapping[str, Callable[[Numbers, Numbers], Any]]] = {
    "mse": _mse,
    "rmse": _rmse,
    "mae": _mae,
    "accuracy": _accuracy,
    "cross_entropy": _cross_entropy,
}


def _like_targets(predictions: Array, targets: Array) -> Description | None:
    return None if predictions.shape == targets.shape else describe(targets)


def _scores(predictions: Array, targets: Array) -> Description | None:
    """The expected form, where the predictions have no score for each class that the targets name."""
    numbers = in_float64(targets)
    classes = int(numbers.max(initial=0, where=np.isfinite(numbers))) + 1
    if predictions.shape[:-1] == targets.shape and predictions.shape[-1:] >= (classes,):
        return None
    return Description(noun="a tensor", shape=(*targets.shape, classes), dtype="float32")


def _classes_or_scores(predictions: Array, targets: Array) -> Description | None:
    return None if predictions.shape == targets.shape else _scores(predictions, targets)


_FORMS: Final[Mapping[str, Callable[[Array, Array], Description | None]]] = {
    "mse": _like_targets,
    "rmse": _like_targets,
    "mae": _like_targets,
    "accuracy": _classes_or_scores,
    "cross_entropy": _scores,
}
