"""Kind `blanks`: prose or code with gaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Discriminator, Tag

from exercises.content.fields import Name, Text
from exercises.content.gaps import gap_names, gaps_in_text
from exercises.content.kinds.common import Remark
from exercises.content.kinds.numeric import OneNumber
from exercises.content.kinds.questions import Question
from exercises.content.kinds.text import OneText
from exercises.content.yamltext import Path


def _shape_of(blank: Any) -> str | None:
    """Which of the two a blank is; None, a fault, where it says both or neither."""
    if not isinstance(blank, dict):
        return "[OneText]" if isinstance(blank, OneText) else "[OneNumber]"
    told = [shape for field, shape in (("answer", "[OneNumber]"), ("accept", "[OneText]")) if field in blank]
    return told[0] if len(told) == 1 else None


Blank = Annotated[
    Annotated[OneNumber, Tag("[OneNumber]")] | Annotated[OneText, Tag("[OneText]")],
    Discriminator(
        _shape_of,
        custom_error_type="content",
        custom_error_message="{problem}",
        custom_error_context={"problem": "expected either `answer` (a number) or `accept` (texts)"},
    ),
]


class Blanks(Question):
    graded_fields: ClassVar[tuple[str, ...]] = ("template",)

    kind: Literal["blanks"]
    """Prose or code with gaps."""
    template: Text
    """Markdown with {{name}} for each gap, in text or in code."""
    blanks: dict[Name, Blank]
    """For each gap `answer` (a number) or `accept` (texts)."""

    def own_remarks(self) -> Iterator[Remark]:
        yield from self._of_gaps()
        for name, blank in self.blanks.items():
            path: Path = ("blanks", name)
            yield from blank.number_remarks(path) if isinstance(blank, OneNumber) else blank.text_remarks(path)

    def _of_gaps(self) -> Iterator[Remark]:
        gaps = gap_names(self.template)
        if not gaps:
            yield ("template",), "expected at least one gap, such as {{answer}}, found none"
        for name in dict.fromkeys(gaps):
            if gaps.count(name) > 1:
                yield ("template",), f"the gap {{{{{name}}}}} stands twice; give each gap its own name"
            if name not in self.blanks:
                yield ("template",), f"expected `blanks.{name}` for the gap {{{{{name}}}}}, found none"
        for name in self.blanks:
            if name not in gaps:
                yield ("blanks", name), f"expected the gap {{{{{name}}}}} in `template`, found none"
        for name in sorted(set(gaps) - gaps_in_text(self.template)):
            yield ("template",), f"the gap {{{{{name}}}}} stands in a formula or an address; put it into text or code"

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        yield ("template",), self.template
        for name, blank in self.blanks.items():
            said = [known.text for known in blank.feedback]
            for position, text in enumerate(said):
                yield ("blanks", name, "feedback", position, "text"), text

    def grading(self) -> dict[str, Any]:
        blanks = {
            name: {field: value for field, value in blank.items() if field != "feedback"}
            for name, blank in self.whole["blanks"].items()
        }
        return {"blanks": blanks} | super().grading()
