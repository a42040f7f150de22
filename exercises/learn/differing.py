"""Two submissions beside each other: line by line where they are text, else answer by answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from exercises.choices import Kind
from exercises.models import Submission

MOST_LINES = 2000
"""Of each text: comparing takes time that may grow with the square of their number."""
CONTEXT = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferingLine:
    """`older` and `newer` number the line in either text, from 1; `look` is added, removed, skipped or empty.

    `sign` says the look without colour.
    """

    text: str
    older: int | None = None
    newer: int | None = None
    look: str = ""
    sign: str = " "


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    lines: list[DifferingLine]
    added: int
    removed: int
    is_cut: bool

    @property
    def is_none(self) -> bool:
        """Whether the texts are the same."""
        return not self.added and not self.removed


def text_of(submission: Submission) -> str | None:
    """What was handed in, as text that can be compared line by line; None of other answers."""
    if submission.version.is_code:
        return submission.source
    if submission.version.kind in (Kind.EXPLAIN, Kind.TEXT, Kind.NUMERIC) and submission.response is not None:
        return str(submission.response)
    return None


def difference_of(older: str, newer: str) -> Difference:
    """The lines of both texts in order, what was taken out before what was put in; long equal parts are skipped."""
    before, after = older.split("\n"), newer.split("\n")
    cut = before[:MOST_LINES], after[:MOST_LINES]
    lines = list(_lines(*cut))
    return Difference(
        lines=lines,
        added=sum(line.look == "added" for line in lines),
        removed=sum(line.look == "removed" for line in lines),
        is_cut=len(before) > MOST_LINES or len(after) > MOST_LINES,
    )


def _lines(before: Sequence[str], after: Sequence[str]) -> Iterator[DifferingLine]:
    for kind, first, last, start, end in SequenceMatcher(None, before, after).get_opcodes():
        if kind == "equal":
            yield from _equal(before, first, last, start, is_last=last == len(before))
            continue
        for number in range(first, last):
            yield DifferingLine(text=before[number], older=number + 1, look="removed", sign="−")
        for number in range(start, end):
            yield DifferingLine(text=after[number], newer=number + 1, look="added", sign="+")


def _equal(before: Sequence[str], first: int, last: int, start: int, *, is_last: bool) -> Iterator[DifferingLine]:
    """Equal lines; of many only those near a change."""
    head, tail = 0 if first == 0 else CONTEXT, 0 if is_last else CONTEXT
    is_long = last - first > head + tail + 1
    for number in range(first, last):
        if is_long and first + head <= number < last - tail:
            if number == first + head:
                yield DifferingLine(text="", look="skipped", sign="⋯")
            continue
        yield DifferingLine(text=before[number], older=number + 1, newer=start + number - first + 1)
