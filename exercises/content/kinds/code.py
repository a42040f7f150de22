"""Kind `code`: a function or class, called with the author's cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from exercises.content.fields import Fields, Name, Slug, Text, Title
from exercises.content.kinds.common import Comparison, Exercise, Limits, Remark
from exercises.content.yamltext import Path


class Mistake(Fields):
    """A known wrong solution, `mistakes/<slug>.py`: what it is called, and what is said to who made it."""

    title: Title
    feedback: Text


class Code(Exercise):
    files: ClassVar[tuple[str, ...]] = ("starter.py", "reference.py", "cases.py")
    has_mistakes: ClassVar[bool] = True

    kind: Literal["code"]
    entry: Name
    compare: Comparison = Comparison()
    draws: Annotated[int, Field(ge=1, le=20)] = 3
    limits: Limits = Limits()
    mistakes: dict[Slug, Mistake] = Field(default_factory=dict)

    def remarks(self) -> Iterator[Remark]:
        yield from super().remarks()
        yield from self.compare.remarks()

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        for slug, mistake in self.mistakes.items():
            yield ("mistakes", slug, "feedback"), mistake.feedback

    def grading(self) -> dict[str, Any]:
        whole = self.model_dump(mode="json")
        return {name: whole[name] for name in ("entry", "compare", "draws", "limits")}
