"""Kind `numeric`: one number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from exercises.content.fields import Fields, Number, Text, Tolerance
from exercises.content.kinds.common import Exercise, Remark
from exercises.content.yamltext import Path

# As in `graders.questions.numeric`; a test compares the two.
DEFAULT_RTOL = 1e-6


class NumberFeedback(Fields):
    """What is said to a wrong number that is known."""

    answer: Number
    text: Text


class Numeric(Exercise):
    graded_fields: ClassVar[tuple[str, ...]] = ("answer", "rtol", "atol")

    kind: Literal["numeric"]
    answer: Number
    rtol: Tolerance
    atol: Annotated[Number, Field(ge=0)]
    feedback: tuple[NumberFeedback, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _fill_tolerances(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Where neither is given six right digits; beside the one that is given the other is 0."""
        alone = "rtol" not in fields and "atol" not in fields
        return {"rtol": DEFAULT_RTOL if alone else 0, "atol": 0} | fields

    def remarks(self) -> Iterator[Remark]:
        yield from super().remarks()
        for position, known in enumerate(self.feedback):
            path = ("feedback", position, "answer")
            if abs(known.answer - self.answer) <= self.atol + self.rtol * abs(self.answer):
                yield path, "expected a wrong number, found one that is accepted"
            if known.answer in [other.answer for other in self.feedback[:position]]:
                yield path, f"the number {known.answer:.15g} is given twice"

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        for position, known in enumerate(self.feedback):
            yield ("feedback", position, "text"), known.text
