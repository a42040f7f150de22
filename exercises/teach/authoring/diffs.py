"""Differences between texts, line by line."""

from __future__ import annotations

from dataclasses import dataclass

from exercises.models import ExerciseVersion, Revision
from exercises.queries import difference

LOOKS = {"+": "added", "-": "removed"}
SIGNS = {"+": "+", "-": "−", " ": " "}


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """`look` is added, removed, place or empty; `sign` says so without colour."""

    text: str
    look: str = ""
    sign: str = " "


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDiff:
    path: str
    lines: list[DiffLine]


def file_diffs(older: Revision | ExerciseVersion, newer: Revision | ExerciseVersion) -> list[FileDiff]:
    """The files that differ."""
    return [FileDiff(path=path, lines=diff_lines(text)) for path, text in difference(older, newer)]


def diff_lines(text: str) -> list[DiffLine]:
    """A unified diff, without the names of the files above it."""
    lines = text.splitlines()
    start = next((place for place, line in enumerate(lines) if line.startswith("@@")), 0)
    return [_line(line) for line in lines[start:]]


def _line(line: str) -> DiffLine:
    sign, rest = line[:1], line[1:]
    if sign not in SIGNS:
        return DiffLine(text=line, look="place", sign="")
    return DiffLine(text=rest, look=LOOKS.get(sign, ""), sign=SIGNS[sign])
