"""What checking an exercise or a course found, as values; words for people are made in `report`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Check(StrEnum):
    """What is checked, in this order."""

    SCHEMA = "schema"
    TEXTS = "texts"
    KEY = "key"
    CASES = "cases"
    REFERENCE = "reference"
    NOISE = "noise"
    STRAW_MEN = "straw men"
    MISTAKES = "mistakes"
    MUTANTS = "mutants"
    LESSONS = "lessons"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was found. A remark may be published, anything else may not.

    `is_shortfall`: the mutation score alone is lower than asked. An instructor may publish despite it, with a reason.
    """

    check: Check
    message: str
    file: str = ""
    line: int | None = None
    is_remark: bool = False
    is_shortfall: bool = False

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{place}: {self.message}" if place else self.message


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A case that tells a mutant from the reference, as code for `cases.py`."""

    code: str
    seen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A mutant and what became of it.

    `fate`: `killed` (refused by `by`, a case), `survived`, `equivalent` (the author says so, with a reason), `broken`
    (it gives no value in any case, so it says nothing about the cases). `change` names it in exercise.yaml.
    """

    operator: str
    line: int
    change: str
    diff: str
    fate: str
    by: str = ""
    reason: str = ""
    offer: Offer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MutationScore:
    """Which of the mutants the cases refuse, and how many must be."""

    mutants: tuple[Mutant, ...]
    required: float
    seconds: float

    def count(self, fate: str) -> int:
        return sum(mutant.fate == fate for mutant in self.mutants)

    @property
    def score(self) -> float:
        """Refused mutants among those that are neither broken nor equivalent; 1 where there are none."""
        killed, survived = self.count("killed"), self.count("survived")
        return killed / (killed + survived) if killed + survived else 1.0

    def to_json(self) -> dict[str, Any]:
        """The score with all mutants, as JSON."""
        counts = {fate: self.count(fate) for fate in ("killed", "survived", "equivalent", "broken")}
        mutants = [asdict(mutant) for mutant in self.mutants]
        return {"score": round(self.score, 4), "required": self.required, **counts, "mutants": mutants}


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a check is: what is being done, in a few words, and what was found so far.

    `done` are the checks that were begun. Of the mutants, which there are only at the end, so many were `tried`.
    """

    doing: str
    done: tuple[Check, ...] = ()
    findings: tuple[Finding, ...] = ()
    tried: int = 0
    mutants: int = 0

    def to_json(self) -> dict[str, Any]:
        """The progress as JSON."""
        return {
            "doing": self.doing,
            "done": [check.value for check in self.done],
            "findings": [_finding_json(finding) for finding in self.findings],
            "tried": self.tried,
            "mutants": self.mutants,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseReport:
    """All that was found in one exercise. `done` are the checks that were made."""

    slug: str
    kind: str = ""
    title: str = ""
    grading_hash: str = ""
    done: tuple[Check, ...] = ()
    findings: tuple[Finding, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)
    mutation: MutationScore | None = None
    seconds: float = 0.0

    @property
    def is_sound(self) -> bool:
        return not problems(self.findings)

    @property
    def is_proven(self) -> bool:
        """Whether nothing stands against publishing, but perhaps how high the mutation score is."""
        return bool(self.grading_hash) and all(finding.is_shortfall for finding in problems(self.findings))

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "slug": self.slug,
            "kind": self.kind,
            "title": self.title,
            "grading_hash": self.grading_hash,
            "sound": self.is_sound,
            "checks": [check.value for check in self.done],
            "findings": [_finding_json(finding) for finding in self.findings],
            "facts": self.facts,
            "mutation": self.mutation.to_json() if self.mutation else None,
            "seconds": round(self.seconds, 2),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseReport:
    """All that was found in a course: in the folder and its lessons, and in each exercise."""

    slug: str
    findings: tuple[Finding, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)
    exercises: tuple[ExerciseReport, ...] = ()
    seconds: float = 0.0

    @property
    def is_sound(self) -> bool:
        return not problems(self.findings) and all(exercise.is_sound for exercise in self.exercises)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "slug": self.slug,
            "sound": self.is_sound,
            "findings": [_finding_json(finding) for finding in self.findings],
            "facts": self.facts,
            "exercises": [exercise.to_json() for exercise in self.exercises],
            "seconds": round(self.seconds, 2),
        }


def problems(findings: Iterable[Finding]) -> Sequence[Finding]:
    """Those that stand against publishing."""
    return [finding for finding in findings if not finding.is_remark]


def _finding_json(finding: Finding) -> dict[str, Any]:
    fields = asdict(finding)
    is_remark, is_shortfall = fields.pop("is_remark"), fields.pop("is_shortfall")
    return {**fields, "level": "remark" if is_remark else "shortfall" if is_shortfall else "problem"}
