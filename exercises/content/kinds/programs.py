"""What the kinds that are run share: comparison, limits, listed mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from exercises.content.fields import Fields, Slug, Text, Title
from exercises.content.kinds.common import Comparison, Exercise, Limits, Remark, twice
from exercises.content.yamltext import Path
from graders.feedback_on_causes import FOUND_CAUSES


class Mistake(Fields):
    """A known wrong solution, `mistakes/<slug>.py`: what it is called, and what is said to who made it."""

    title: Title
    """What the mistake is called."""
    feedback: Text
    """What was seen, then where to look, in Markdown; never the solution."""


class Equivalent(Fields):
    """A change of the reference that nobody can see in what it gives: as the check names it, and why."""

    change: Text
    """The line before and after, as the check prints it."""
    reason: Text
    """Why nobody can see it."""


class Mutants(Fields):
    """What the author says of small changes of the reference that the cases accept."""

    equivalent: tuple[Equivalent, ...] = ()
    """Changes of the reference that make no difference."""


class Program(Exercise):
    optional_files: ClassVar[tuple[str, ...]] = ("mistakes", "data")
    graded_fields: ClassVar[tuple[str, ...]] = ("compare", "limits")

    compare: Comparison = Comparison()
    """How outputs are compared with those of the reference."""
    limits: Limits = Limits()
    """What one submission may use."""
    mistakes: dict[Slug, Mistake] = Field(default_factory=dict)
    """One for each file mistakes/<slug>.py."""
    mutants: Mutants = Mutants()
    """What is said of small changes of the reference."""

    def remarks(self) -> Iterator[Remark]:
        yield from super().remarks()
        yield from self.compare.remarks()
        changes = tuple(equivalent.change for equivalent in self.mutants.equivalent)
        for path, message in twice(changes, ("mutants", "equivalent")):
            yield (*path, "change"), message
        for slug in self.mistakes:
            if slug in FOUND_CAUSES:
                yield (
                    ("mistakes", slug),
                    f'"{slug}" is the word for a cause that is found unlisted; expected another slug',
                )

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        for slug, mistake in self.mistakes.items():
            yield ("mistakes", slug, "feedback"), mistake.feedback
