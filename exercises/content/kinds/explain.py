"""Kind `explain`: an explanation in one's own words, judged by a person along a rubric."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from exercises.content.fields import Fields, Number, Title, count
from exercises.content.kinds.common import CENTS, Remark, twice
from exercises.content.kinds.questions import Question
from exercises.content.yamltext import Path

MOST_CRITERIA = 20


class Criterion(Fields):
    """What is looked for, what it is worth, and what a full one looks like."""

    criterion: Title
    """What is looked for."""
    points: Annotated[Number, Field(gt=0, le=1000), CENTS]
    """What it is worth."""
    description: str = ""
    """What a full one looks like, in Markdown; shown with the judgement."""


class Explain(Question):
    kind: Literal["explain"]
    """An explanation in words, judged by a person."""
    rubric: Annotated[tuple[Criterion, ...], count(1, MOST_CRITERIA)]
    """What points are given for."""
    model_answer: str = ""
    """Shown once it was handed in, in Markdown."""

    def own_remarks(self) -> Iterator[Remark]:
        names = tuple(item.criterion.strip() for item in self.rubric)
        for path, message in twice(names, ("rubric",)):
            yield (*path, "criterion"), message

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        for position, item in enumerate(self.rubric):
            yield ("rubric", position, "description"), item.description
        yield ("model_answer",), self.model_answer

    def grading(self) -> dict[str, Any]:
        rubric = [[item.criterion, item.points] for item in self.rubric]
        return {"rubric": rubric} | super().grading()
