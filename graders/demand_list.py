"""What an exercise asks for beside values, in words for those who are about to solve it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graders.feedback_on_properties import name_of
from graders.feedback_on_training import asked_of
from graders.formats import count
from graders.metrics import Training
from graders.property_lines import demanded_properties


def demands_in_words(exercise: Mapping[str, Any]) -> list[str]:
    """One sentence for each demand of a `code` exercise, names in backticks; none where values are all."""
    return [*_of_calls(exercise), *_of_text(exercise.get("forbid") or {}), *_of_outputs(exercise)]


def _of_calls(exercise: Mapping[str, Any]) -> Iterator[str]:
    if exercise.get("inputs_unchanged"):
        yield "A call must leave its arguments as they are."
    if exercise.get("gradients"):
        yield f"Gradients for {_listed(exercise['gradients'])} are judged too."


def _of_text(forbid: Mapping[str, Any]) -> Iterator[str]:
    if forbid.get("names"):
        yield f"To be solved without {_listed(forbid['names'])}."
    if forbid.get("operators"):
        yield f"To be solved without the operators {_listed(forbid['operators'])}."
    if forbid.get("loops"):
        yield "To be solved without loops and comprehensions."


def _of_outputs(exercise: Mapping[str, Any]) -> Iterator[str]:
    for demanded in demanded_properties(exercise):
        points = f"{demanded.points.normalize():f}"
        yield f"{name_of(demanded.property)} ({points} {'point' if points == '1' else 'points'})."
    training = Training.from_definition(exercise.get("training"))
    if training is not None:
        yield f"What is returned is predictions: {asked_of(training)}."
        if training.steps is not None:
            yield f"An optimiser may make at most {count(training.steps, 'step')}."


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
