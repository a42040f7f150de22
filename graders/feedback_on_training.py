"""Predictions of a trained model, in words. Of a hidden case the number is not told."""

from __future__ import annotations

from typing import Final

from graders.formats import count
from graders.metrics import Training
from graders.outcomes import Feedback, Stage

MISSED: Final = "metric_missed"
TOO_MANY_STEPS: Final = "too_many_steps"

_WORDS: Final = {
    "mse": "mean squared error",
    "rmse": "root of the mean squared error",
    "mae": "mean absolute error",
    "accuracy": "accuracy",
    "cross_entropy": "cross entropy",
}
_MISSED_HINT: Final = (
    "Does the loss fall from step to step, and how far? Look at the rate, the loss, and what is updated."
)


def asked_of(training: Training) -> str:
    """What is asked for, as the end of a sentence."""
    return f"their {_WORDS[training.metric]} is to be {_asked(training)}"


def of_met(training: Training, measured: float, *, visible: bool) -> Feedback:
    """For predictions that are good enough."""
    if not visible:
        return Feedback(summary="The predictions are good enough.")
    return Feedback(summary=f"The {_WORDS[training.metric]} of the predictions is {measured:.4g}.")


def of_missed(training: Training, measured: float, *, visible: bool) -> Feedback:
    """For predictions that are not."""
    asked = _asked(training)
    name = _WORDS[training.metric]
    if not visible:
        summary = f"In a hidden case, the {name} of the predictions misses what is asked for ({asked})."
        return Feedback(stage=Stage.TRAINING, summary=summary, hint=_MISSED_HINT, cause=MISSED)
    return Feedback(
        stage=Stage.TRAINING,
        summary=f"The {name} of the predictions is {f'{measured:.4g}'.replace('nan', 'NaN')}; asked for is {asked}.",
        hint=_MISSED_HINT,
        cause=MISSED,
    )


def of_too_many_steps(training: Training, steps: int) -> Feedback:
    """For a training that took more steps than there are."""
    summary = f"The training made {count(steps, 'step')} of an optimiser; at most {training.steps} are allowed."
    return Feedback(stage=Stage.RULES, summary=summary, cause=TOO_MANY_STEPS)


def _asked(training: Training) -> str:
    limits = {"at most": training.at_most, "at least": training.at_least}
    return " and ".join(f"{words} {limit:.6g}" for words, limit in limits.items() if limit is not None)
