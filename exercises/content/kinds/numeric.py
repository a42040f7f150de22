"""Kind `numeric`: one number."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from exercises.content.fields import Fields, Number, Text, Tolerance
from exercises.content.kinds.common import Remark
from exercises.content.kinds.questions import Question, Value, is_expression
from exercises.content.yamltext import Path

# As in `graders.questions.numeric`; a test compares the two.
DEFAULT_RTOL = 1e-6


class NumberFeedback(Fields):
    """What is said to a wrong number that is known."""

    answer: Value
    """A wrong number that is expected."""
    text: Text
    """What is said to it, in Markdown."""


class Tolerances(Fields):
    """How far a number may be from the right one: atol + rtol·|answer|."""

    rtol: Tolerance = DEFAULT_RTOL
    """Part of the answer by which a number may be off."""
    atol: Annotated[Number, Field(ge=0)] = 0.0
    """What a number may be off besides."""

    @model_validator(mode="before")
    @classmethod
    def _fill_tolerances(cls, fields: Any) -> Any:
        """Where neither is given six right digits; beside the one that is given the other is 0."""
        if not isinstance(fields, dict):
            return fields
        alone = "rtol" not in fields and "atol" not in fields
        return {"rtol": DEFAULT_RTOL if alone else 0, "atol": 0} | fields


class OneNumber(Tolerances):
    """A number with its tolerances, and known wrong ones."""

    answer: Value
    """A number, a fraction such as 1/3, or {{ … }} with parameters."""
    feedback: tuple[NumberFeedback, ...] = ()
    """Wrong numbers that are expected."""

    def number_remarks(self, path: Path = ()) -> Iterator[Remark]:
        """What is wrong with the known wrong numbers; `path` is where they stand."""
        if is_expression(self.answer):
            return
        numbers = [None if is_expression(known.answer) else Fraction(known.answer) for known in self.feedback]
        for position, number in enumerate(numbers):
            if number is None:
                continue
            at = (*path, "feedback", position, "answer")
            if self._accepts(number):
                yield at, "expected a wrong number, found one that is accepted"
            if number in numbers[:position]:
                yield at, f"the number {float(number):.15g} is given twice"

    def _accepts(self, number: Fraction) -> bool:
        answer = Fraction(self.answer)
        return abs(number - answer) <= Fraction(self.atol) + Fraction(self.rtol) * abs(answer)


class Numeric(OneNumber, Question):
    graded_fields: ClassVar[tuple[str, ...]] = ("answer", "rtol", "atol")

    kind: Literal["numeric"]
    """One number."""

    def own_remarks(self) -> Iterator[Remark]:
        yield from self.number_remarks()

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        for position, known in enumerate(self.feedback):
            yield ("feedback", position, "text"), known.text
