"""What the kinds that are run share: comparison, limits, listed mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from exercises.content.fields import Fields, Slug, Text, Title
from exercises.content.kinds.common import Comparison, Exercise, Limits, Remark
from exercises.content.yamltext import Path


class Mistake(Fields):
    """A known wrong solution, `mistakes/<slug>.py`: what it is called, and what is said to who made it."""

    title: Title
    feedback: Text


class Program(Exercise):
    optional_files: ClassVar[tuple[str, ...]] = ("mistakes", "data")
    graded_fields: ClassVar[tuple[str, ...]] = ("compare", "limits")

    compare: Comparison = Comparison()
    limits: Limits = Limits()
    mistakes: dict[Slug, Mistake] = Field(default_factory=dict)

    def remarks(self) -> Iterator[Remark]:
        yield from super().remarks()
        yield from self.compare.remarks()

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        for slug, mistake in self.mistakes.items():
            yield ("mistakes", slug, "feedback"), mistake.feedback
