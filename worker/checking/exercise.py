"""Proves one exercise folder sound, or says what is missing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from exercises.choices import CODE_KINDS
from exercises.content import ContentError, ExerciseFolder, Problem, read_exercise
from worker.cases import CasesError
from worker.checking.drawing import Material, draw_material
from worker.checking.drawn_cases import case_findings
from worker.checking.findings import Check, ExerciseReport, Finding, MutationScore, Progress, problems
from worker.checking.mistakes import mistake_findings
from worker.checking.mutation import mutation_findings, score_mutants
from worker.checking.noise import noise_findings
from worker.checking.questions import key_findings
from worker.checking.reference import reference_findings
from worker.checking.straw_men import straw_man_findings
from worker.checking.texts import text_findings
from worker.solution import Runner

OnProgress = Callable[[Progress], None]
"""Is told how far the check is; whatever it raises ends the check."""


@dataclass(slots=True, kw_only=True)
class _Checking:
    """One exercise while it is being checked."""

    slug: str
    tell: OnProgress
    done: list[Check] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    mutation: MutationScore | None = None

    def begin(self, check: Check) -> None:
        self.done.append(check)
        self.tell(self._progress(check.value))

    def make(self, check: Check, findings: Callable[[], Iterable[Finding]]) -> None:
        self.begin(check)
        self.findings += findings()

    def told_of_mutants(self, tried: int, whole: int) -> None:
        progress = self._progress(f"{Check.MUTANTS.value} {tried} of {whole}")
        self.tell(replace(progress, tried=tried, mutants=whole))

    def _progress(self, doing: str) -> Progress:
        return Progress(doing=f"{self.slug}: {doing}", done=tuple(self.done), findings=tuple(self.findings))


def check_exercise(folder: Path, runner: Runner, *, required_score: float, tell: OnProgress) -> ExerciseReport:
    """The report on the exercise in `folder`. Raises: SandboxError (ours)."""
    try:
        read = read_exercise(folder)
    except ContentError as error:
        return unreadable_report(folder.resolve().name, error)
    return check_read_exercise(read, runner, required_score=required_score, tell=tell)


def unreadable_report(slug: str, error: ContentError) -> ExerciseReport:
    """The report on files that are no exercise."""
    return ExerciseReport(slug=slug, done=(Check.SCHEMA,), findings=tuple(map(finding_of, error.problems)))


def check_read_exercise(
    folder: ExerciseFolder, runner: Runner, *, required_score: float, tell: OnProgress
) -> ExerciseReport:
    """The report on an exercise whose files are all read. Raises: SandboxError (ours)."""
    started = time.perf_counter()
    checking = _Checking(slug=folder.slug, tell=tell)
    checking.begin(Check.SCHEMA)
    checking.make(Check.TEXTS, lambda: text_findings(folder))
    if folder.kind in CODE_KINDS:
        _check_code(checking, folder, runner, required_score)
    else:
        checking.make(Check.KEY, lambda: key_findings(folder))
    return ExerciseReport(
        slug=folder.slug,
        kind=folder.kind,
        title=folder.title,
        grading_hash=folder.grading_hash,
        done=tuple(checking.done),
        findings=tuple(checking.findings),
        facts=checking.facts,
        mutation=checking.mutation,
        seconds=time.perf_counter() - started,
    )


def finding_of(problem: Problem) -> Finding:
    """A problem of reading, as a finding."""
    message = f"`{problem.field}`: {problem.message}" if problem.field else problem.message
    return Finding(check=Check.SCHEMA, message=message, file=problem.file, line=problem.line)


def _check_code(checking: _Checking, folder: ExerciseFolder, runner: Runner, required_score: float) -> None:
    checking.begin(Check.CASES)
    try:
        material = draw_material(folder, runner)
        checking.findings += case_findings(material)
        # On cases that are wrong, and by a reference that is refused, nothing else can be said.
        if not _is_refused(checking.findings):
            checking.make(Check.REFERENCE, lambda: reference_findings(material, checking.facts))
        if not _is_refused(checking.findings):
            _check_cases(checking, material, required_score)
    except CasesError as error:
        checking.findings.append(_of_author(str(error)))


def _is_refused(findings: list[Finding]) -> bool:
    refusing = {Check.CASES, Check.REFERENCE}
    return any(finding.check in refusing for finding in problems(findings))


def _check_cases(checking: _Checking, material: Material, required_score: float) -> None:
    if not material.is_training:
        checking.make(Check.NOISE, lambda: noise_findings(material, checking.facts))
    checking.make(Check.STRAW_MEN, lambda: straw_man_findings(material))
    checking.make(Check.MISTAKES, lambda: mistake_findings(material))
    checking.begin(Check.MUTANTS)
    score = score_mutants(material, required_score, checking.told_of_mutants)
    checking.mutation = score
    checking.findings += mutation_findings(material, score)


def _of_author(message: str) -> Finding:
    """A failure of the author's code, which names its file at the beginning."""
    file, _, rest = message.partition(" ")
    check = Check.REFERENCE if file.startswith("reference.py") else Check.CASES
    return Finding(check=check, message=rest, file=file.rstrip(":"))
