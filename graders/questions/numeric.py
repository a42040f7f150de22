"""One number, within a tolerance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from graders import feedback
from graders.arrays import nearest_float
from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Outcome
from graders.questions.numbers import MAX_CHARACTERS, read_number
from graders.questions.responses import list_field, text_field
from graders.scoring import outcome_of_share

# Where an author gives neither tolerance: six right digits.
DEFAULT_RTOL: Final = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongNumber:
    """A wrong answer that the author expects, and what to say to it."""

    answer: Fraction
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericQuestion:
    """Right is |response − answer| ≤ atol + rtol·|answer|."""

    answer: Fraction
    rtol: Fraction = DEFAULT_RTOL
    atol: Fraction = Fraction(0)
    feedback: tuple[WrongNumber, ...] = ()


def from_definition(exercise: Mapping[str, Any], *, at: str = "") -> NumericQuestion:
    """The question that exercise.yaml declares; `at` names the place of its fields where they are not at the top.

    Raises:
        DefinitionError: a number or a tolerance cannot be read.
    """
    rtol, atol = exercise.get("rtol"), exercise.get("atol")
    answer = _number(exercise.get("answer"), f"{at}answer")
    listed = tuple(
        WrongNumber(
            answer=_number(item.get("answer"), f"{at}feedback[{place}].answer"),
            text=text_field(item, "text", at=f"{at}feedback[{place}]."),
        )
        for place, item in enumerate(list_field(exercise, "feedback", at=at))
    )
    question = NumericQuestion(
        answer=answer,
        rtol=tolerance_field(rtol, f"{at}rtol", DEFAULT_RTOL if atol is None else Fraction(0)),
        atol=tolerance_field(atol, f"{at}atol", Fraction(0)),
        feedback=listed,
    )
    for place, wrong in enumerate(listed):
        if is_right(question, wrong.answer):
            raise DefinitionError(f"{at}feedback[{place}].answer", "is within the tolerance of the right answer")
    return question


def form(question: NumericQuestion, seed: str) -> dict[str, Any]:
    """What a form needs: nothing but a field."""
    return {}


def response_schema(question: NumericQuestion, seed: str) -> dict[str, Any]:
    """The JSON schema of a response."""
    return {
        "anyOf": [
            {"type": "number"},
            {"type": "string", "minLength": 1, "maxLength": MAX_CHARACTERS},
        ],
        "examples": [0.125, "1/8", "0,125", "12.5 %", "1e-3"],
    }


def grade(question: NumericQuestion, response: object, seed: str = "") -> Outcome:
    """The outcome of a number or a text that says one.

    Raises:
        ResponseError: it says none.
    """
    number = read_number(response)
    if is_right(question, number):
        return outcome_of_share(Fraction(1), feedback.of_right_response())
    return outcome_of_share(Fraction(0), feedback.of_wrong_number(number, remark(question, number)))


def right_response(question: NumericQuestion, seed: str = "") -> object:
    """What the key says: a whole number, else a text such as 1/3, or a number where that text would be too long."""
    if question.answer.denominator == 1:
        return question.answer.numerator
    exact = str(question.answer)
    if len(exact) <= MAX_CHARACTERS:
        return exact
    in_float64 = nearest_float(question.answer)
    is_held = math.isfinite(in_float64) and in_float64 != 0
    return in_float64 if is_held else _in_digits(question.answer)


def is_right(question: NumericQuestion, number: Fraction) -> bool:
    """Whether a number is within the tolerance of the answer."""
    return _within(question, number, question.answer)


def remark(question: NumericQuestion, number: Fraction) -> str:
    """What the author says to a wrong number, or ""."""
    return next((wrong.text for wrong in question.feedback if _within(question, number, wrong.answer)), "")


def tolerance_field(value: object, field: str, default: Fraction) -> Fraction:
    """A tolerance of a definition, or `default` where it is missing.

    Raises:
        DefinitionError: it is no number from 0 up.
    """
    if value is None:
        return default
    number = _number(value, field)
    if number < 0:
        raise DefinitionError(field, f"expected a number from 0 up, found {value!r}")
    return number


def _in_digits(number: Fraction) -> str:
    """A number beyond what a float holds, as a text in as many digits as one has."""
    return f"{Decimal(number.numerator) / Decimal(number.denominator):.17g}"


def _within(question: NumericQuestion, number: Fraction, answer: Fraction) -> bool:
    return abs(number - answer) <= question.atol + question.rtol * abs(answer)


def _number(value: object, field: str) -> Fraction:
    try:
        return read_number(value)
    except ResponseError as error:
        raise DefinitionError(field, str(error)) from error
