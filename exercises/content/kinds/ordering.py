"""Kind `ordering`: lines to be put in order; with indentation a Parsons problem."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from exercises.content.fields import Text, count
from exercises.content.kinds.common import Remark, twice
from exercises.content.kinds.questions import Question
from exercises.content.yamltext import Path

MOST_LINES = 40


class Ordering(Question):
    graded_fields: ClassVar[tuple[str, ...]] = ("lines", "distractors", "indent")

    kind: Literal["ordering"]
    """Lines to be put in order."""
    lines: Annotated[tuple[Text, ...], count(2, MOST_LINES)]
    """In the right order; code with its indentation, in quotes."""
    distractors: Annotated[tuple[Text, ...], count(0, MOST_LINES)] = ()
    """Lines that do not belong."""
    indent: bool = False
    """Whether the lines are code that students indent too."""

    def own_remarks(self) -> Iterator[Remark]:
        for name in ("lines", "distractors"):
            for position, line in enumerate(getattr(self, name)):
                if "\n" in line.strip():
                    yield (name, position), "expected one line, found several"
        for position, line in enumerate(self.lines):
            if line != line.lstrip() and not self.indent:
                yield ("lines", position), "expected no indentation without `indent: true`, found some"
        right = {line.strip() for line in self.lines}
        if len(right) == 1:
            yield ("lines",), "expected lines that differ, found one line several times"
        yield from of_distractors(self.distractors, right, where="is also one of the lines")

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        if self.indent:
            return
        for name in ("lines", "distractors"):
            for position, line in enumerate(getattr(self, name)):
                yield (name, position), line


def of_distractors(distractors: tuple[str, ...], right: set[str], *, where: str) -> Iterator[Remark]:
    """What is wrong with texts that do not belong: one that does, as `where` says, or one that stands twice."""
    texts = tuple(text.strip() for text in distractors)
    for position, text in enumerate(texts):
        if text in right:
            yield ("distractors", position), f'"{text}" {where}'
    yield from twice(texts, ("distractors",))
