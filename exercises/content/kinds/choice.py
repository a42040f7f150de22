"""Kind `choice`: one or several of the options are right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from exercises.content.fields import Fields, Text, count
from exercises.content.kinds.common import Remark
from exercises.content.kinds.questions import Question
from exercises.content.yamltext import Path


class Option(Fields):
    text: Text
    """What it says, in Markdown."""
    correct: bool = False
    """Whether it is right."""
    feedback: str = ""
    """What is said to who chose it wrongly, in Markdown."""


class Choice(Question):
    kind: Literal["choice"]
    """One or several of the options are right."""
    options: Annotated[tuple[Option, ...], count(2, 26)]
    """What can be chosen."""
    multiple: bool = False
    """Whether several may be right; all of them are to be chosen."""
    shuffle: bool = True
    """Whether each student has an order of their own."""
    partial_credit: bool = False
    """Whether a part of the right options earns points; with `multiple` only."""

    def own_remarks(self) -> Iterator[Remark]:
        correct = sum(option.correct for option in self.options)
        if not self.multiple and correct != 1:
            yield ("options",), f"expected one option with `correct: true`, found {correct or 'none'}"
        if self.multiple and correct == 0:
            yield ("options",), "expected at least one option with `correct: true`, found none"
        if self.partial_credit and not self.multiple:
            yield ("partial_credit",), "expected `multiple: true` beside `partial_credit: true`, found one right option"
        texts = [option.text.strip() for option in self.options]
        for position, text in enumerate(texts):
            if text in texts[:position]:
                yield ("options", position, "text"), f"the same as option {texts.index(text) + 1}"

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        for position, option in enumerate(self.options):
            yield ("options", position, "text"), option.text
            yield ("options", position, "feedback"), option.feedback

    def grading(self) -> dict[str, Any]:
        options = [[option.text, option.correct] for option in self.options]
        graded = {"options": options, "multiple": self.multiple, "partial_credit": self.partial_credit}
        return graded | super().grading()
