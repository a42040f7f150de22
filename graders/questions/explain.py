"""An explanation in the student's own words, judged by a person along a rubric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from graders import feedback
from graders.errors import DefinitionError, ResponseError
from graders.outcomes import CaseOutcome, Feedback, Outcome, Verdict
from graders.questions.numbers import read_number
from graders.questions.responses import list_field, text_field
from graders.scoring import outcome_of

MAX_CHARACTERS: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    name: str
    points: Decimal
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainQuestion:
    rubric: tuple[Criterion, ...]
    model_answer: str = ""


def from_definition(exercise: Mapping[str, Any]) -> ExplainQuestion:
    """The question that exercise.yaml declares.

    Raises:
        DefinitionError: the rubric is empty, a criterion has no name of its own, or its points are no number above 0.
    """
    rubric = tuple(
        Criterion(
            name=text_field(item, "criterion", at=f"rubric[{place}].").strip(),
            points=_points(item.get("points"), f"rubric[{place}].points"),
            description=text_field(item, "description", at=f"rubric[{place}]."),
        )
        for place, item in enumerate(list_field(exercise, "rubric"))
    )
    names = [criterion.name for criterion in rubric]
    if not rubric or not all(names) or len(set(names)) < len(names):
        raise DefinitionError("rubric", "expected at least one criterion, each with a name of its own")
    return ExplainQuestion(rubric=rubric, model_answer=text_field(exercise, "model_answer"))


def form(question: ExplainQuestion, seed: str) -> dict[str, Any]:
    """What a form needs: the names and points of the rubric. What each looks for is told with the judgement."""
    return {"rubric": [{"criterion": item.name, "points": float(item.points)} for item in question.rubric]}


def response_schema(question: ExplainQuestion, seed: str) -> dict[str, Any]:
    """The JSON schema of a response."""
    return {"type": "string", "minLength": 1, "maxLength": MAX_CHARACTERS}


def check_response(question: ExplainQuestion, response: object, seed: str) -> None:
    """Returns if a person can judge the response.

    Raises:
        ResponseError: it is no text, empty, or too long.
    """
    if not isinstance(response, str) or not response.strip():
        raise ResponseError("expected a text")
    if len(response) > MAX_CHARACTERS:
        raise ResponseError(f"expected at most {MAX_CHARACTERS} characters, found {len(response)}")


def outcome_of_review(
    question: ExplainQuestion, points: Mapping[str, Decimal], *, comment: str = "", self_assessed: bool = False
) -> Outcome:
    """The outcome of a review: `points` for each criterion by name; accepted if all of them are full.

    Raises:
        ResponseError: a criterion is missing or unknown, or has points outside 0 to its own.
    """
    if set(points) != {criterion.name for criterion in question.rubric}:
        raise ResponseError("expected points for each criterion of the rubric, and for no other")
    cases = []
    for criterion in question.rubric:
        given = points[criterion.name]
        if not given.is_finite() or not 0 <= given <= criterion.points:
            raise ResponseError(f"{criterion.name}: expected points from 0 to {criterion.points}, found {given}")
        cases.append(_judged(criterion, given))
    return outcome_of(cases, feedback.of_review(comment, self_assessed=self_assessed))


def _judged(criterion: Criterion, given: Decimal) -> CaseOutcome:
    return CaseOutcome(
        name=criterion.name,
        visible=True,
        verdict=Verdict.ACCEPTED if given == criterion.points else Verdict.WRONG_ANSWER,
        points=given,
        max_points=criterion.points,
        feedback=Feedback(summary=criterion.description),
    )


def _points(value: object, field: str) -> Decimal:
    try:
        number = read_number(value)
    except ResponseError as error:
        raise DefinitionError(field, str(error)) from error
    if number <= 0 or (number * 100).denominator != 1:
        raise DefinitionError(field, f"expected a number above 0 with at most two decimals, found {value!r}")
    return Decimal(number.numerator) / number.denominator
