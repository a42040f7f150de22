"""Checks exercises that are answered by a response: the key is accepted by its own grader, straw men are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from exercises.content import ExerciseFolder
from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Verdict
from graders.questions.kinds import awaits_review, check_question, form_of, grade_response, right_response_of
from worker.checking.findings import Check, Finding

_GUESSES: Final[dict[str, tuple[object, ...]]] = {
    "numeric": (0, 1, -1),
    "text": (".", "x", "I do not know"),
}
_SEED: Final = "variant 0"


def key_findings(folder: ExerciseFolder) -> Iterator[Finding]:
    """What is wrong with the key, in each of many variants where there are parameters."""
    exercise: Mapping[str, Any] = folder.definition["exercise"]
    try:
        check_question(exercise)
    except DefinitionError as error:
        yield _finding(f"`{error.field}` {error.message}")
        return
    if not awaits_review(exercise):
        yield from (_finding(f"the guess {guess!r} is accepted") for guess in _accepted_guesses(exercise))
        yield from _unexplained(exercise)


def _finding(message: str, *, is_remark: bool = False) -> Finding:
    return Finding(check=Check.KEY, message=message, file="exercise.yaml", is_remark=is_remark)


def _accepted_guesses(exercise: Mapping[str, Any]) -> Iterator[object]:
    right = right_response_of(exercise, _SEED)
    for guess in (*_GUESSES.get(exercise["kind"], ()), *_all_options(exercise)):
        if guess != right and not _is_number(guess, right) and _accepts(exercise, guess):
            yield guess


def _all_options(exercise: Mapping[str, Any]) -> list[list[str]]:
    """Where several options may be chosen, all of them."""
    if exercise["kind"] != "choice" or not exercise["multiple"]:
        return []
    if all(option["correct"] for option in exercise["options"]):
        return []
    return [[option["id"] for option in form_of(exercise, _SEED)["options"]]]


def _is_number(guess: object, right: object) -> bool:
    """Whether a guessed number is exactly the right one."""
    try:
        return isinstance(guess, int) and float(str(right)) == guess
    except ValueError:
        return False


def _accepts(exercise: Mapping[str, Any], response: object) -> bool:
    try:
        return grade_response(exercise, response, _SEED).verdict == Verdict.ACCEPTED
    except ResponseError:
        return False


def _unexplained(exercise: Mapping[str, Any]) -> Iterator[Finding]:
    if exercise["kind"] != "choice":
        return
    for place, option in enumerate(exercise["options"], start=1):
        if not option["correct"] and not option["feedback"]:
            yield _finding(f"option {place} does not say why it is wrong (`feedback`)", is_remark=True)
