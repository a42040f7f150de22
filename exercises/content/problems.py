"""What is wrong with a course folder, said so that its author can mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from exercises.errors import ExerciseError


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing to mend: `file` relative to what was read, `line` from 1, `field` dotted (`compare.rtol`).

    `message` says what was expected and what was found.
    """

    file: str
    message: str
    line: int | None = None
    field: str = ""

    def __str__(self) -> str:
        place = [self.file]
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.field:
            place.append(f"`{self.field}`")
        return f"{', '.join(place)}: {self.message}"


class ContentError(ExerciseError):
    """A folder cannot be taken. `problems` holds every one that was found, in the order of files and lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(problems, key=_place)
        super().__init__("\n".join(str(problem) for problem in self.problems))


def inside(folder: str, problems: Iterable[Problem]) -> list[Problem]:
    """The same problems, their files named from the folder above; `.` is the folder itself."""
    return [replace(problem, file=f"{folder}/{problem.file}".removesuffix("/.")) for problem in problems]


def _place(problem: Problem) -> tuple[str, int, str]:
    return problem.file, problem.line or 0, problem.field
