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
    correct: bool = False
    feedback: str = ""


class Choice(Question):
    kind: Literal["choice"]
    options: Annotated[tuple[Option, ...], count(2, 26)]
    multiple: bool = False
    shuffle: bool = True
    partial_credit: bool = False

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
