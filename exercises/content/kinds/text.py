"""Kind `text`: a word or a short text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from exercises.content.fields import Fields, Text, count
from exercises.content.kinds.common import Remark
from exercises.content.kinds.questions import Question
from exercises.content.yamltext import Path

MOST_ACCEPTED = 50


class Accepted(Fields):
    """A right text word for word, or a pattern that the whole of it must match."""

    exact: str = ""
    """The text word for word."""
    pattern: str = ""
    """What the whole text must match: a pattern of RE2."""
    ignore_case: bool = False
    """Whether small and capital letters are the same."""


class TextFeedback(Fields):
    """What is said to a wrong text in which the pattern is found."""

    pattern: Text
    """Found anywhere in a wrong text, in any case."""
    text: Text
    """What is said to it, in Markdown."""


class OneText(Fields):
    """What is accepted, and known wrong texts."""

    accept: Annotated[tuple[Accepted, ...], count(1, MOST_ACCEPTED)]
    """What is right."""
    feedback: tuple[TextFeedback, ...] = ()
    """Wrong texts that are expected."""

    def text_remarks(self, path: Path = ()) -> Iterator[Remark]:
        """What is wrong with what is accepted; `path` is where it stands."""
        for position, accepted in enumerate(self.accept):
            given = [name for name in ("exact", "pattern") if getattr(accepted, name).strip()]
            if len(given) != 1:
                found = "both" if given else "neither"
                yield (*path, "accept", position), f"expected either `exact` or `pattern`, found {found}"
            if accepted in self.accept[:position]:
                yield (*path, "accept", position), "the same as one before"


class ShortText(OneText, Question):
    graded_fields: ClassVar[tuple[str, ...]] = ("accept",)

    kind: Literal["text"]
    """A word or a short text."""

    def own_remarks(self) -> Iterator[Remark]:
        yield from self.text_remarks()

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        for position, known in enumerate(self.feedback):
            yield ("feedback", position, "text"), known.text
