"""Reports of checks as lines of text, with the colours of the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from graders.formats import count
from worker.checking.findings import Check, CourseReport, ExerciseReport, Finding, Mutant, MutationScore, problems

Paint = Callable[[str, str], str]
"""Gives a text the colour of a word: `good`, `bad`, `remark`, `quiet` or `title`."""


def course_lines(report: CourseReport, paint: Paint) -> Iterator[str]:
    """The report on a course."""
    yield paint("title", f"Course {report.slug}")
    yield from _facts(report.facts, paint)
    yield from (_finding(finding, paint) for finding in report.findings)
    for exercise in report.exercises:
        yield ""
        yield from exercise_lines(exercise, paint)
    yield ""
    unsound = [exercise.slug for exercise in report.exercises if not exercise.is_sound]
    if report.is_sound:
        exercises = count(len(report.exercises), "exercise")
        yield paint("good", f"The course may be published ({exercises}, {report.seconds:.0f} s).")
    else:
        what = [*(["its files or lessons"] if problems(report.findings) else []), *unsound]
        yield paint("bad", f"The course may not be published yet: {', '.join(what)} ({report.seconds:.0f} s).")


def exercise_lines(report: ExerciseReport, paint: Paint) -> Iterator[str]:
    """The report on an exercise."""
    verdict = paint("good", "sound") if report.is_sound else paint("bad", "not sound")
    yield f"{paint('title', report.slug)}  {report.kind}  {verdict}  {paint('quiet', f'{report.seconds:.1f} s')}"
    for check in report.done:
        found = [finding for finding in report.findings if finding.check == check]
        yield f"  {_mark(found, paint)} {check.value}{_beside(report, check, paint)}"
        for finding in found:
            yield f"  {_finding(finding, paint)}"
    unseen = [finding for finding in report.findings if finding.check not in report.done]
    yield from (f"  {_finding(finding, paint)}" for finding in unseen)
    if report.mutation:
        yield from _survivors(report.mutation, paint)


def _mark(findings: list[Finding], paint: Paint) -> str:
    if problems(findings):
        return paint("bad", "✗")
    return paint("remark", "!") if findings else paint("good", "✓")


def _beside(report: ExerciseReport, check: Check, paint: Paint) -> str:
    if check == Check.MUTANTS and report.mutation:
        return f"  {_score(report.mutation)}"
    fact = report.facts.get(check.value, "")
    return f"  {paint('quiet', fact)}" if fact else ""


def _score(mutation: MutationScore) -> str:
    counts = [
        f"{mutation.count(fate)} {fate}"
        for fate in ("killed", "survived", "equivalent", "broken")
        if mutation.count(fate)
    ]
    return f"score {mutation.score:.2f} of {mutation.required:g}: {', '.join(counts)} in {mutation.seconds:.1f} s"


def _facts(facts: Mapping[str, str], paint: Paint) -> Iterator[str]:
    for name, fact in facts.items():
        yield f"  {paint('quiet', f'{name}: {fact}')}"


def _finding(finding: Finding, paint: Paint) -> str:
    word = paint("remark", "remark") if finding.is_remark else paint("bad", "problem")
    return f"  {word}  {finding}"


def _survivors(mutation: MutationScore, paint: Paint) -> Iterator[str]:
    for mutant in mutation.mutants:
        if mutant.fate == "survived":
            yield from _survivor(mutant, paint)


def _survivor(mutant: Mutant, paint: Paint) -> Iterator[str]:
    yield f"    {paint('remark', 'survived')}  {mutant.operator}, line {mutant.line}"
    for line in mutant.diff.splitlines()[1:]:
        yield f"      {paint('bad' if line[0] == '-' else 'good' if line[0] == '+' else 'quiet', line)}"
    if mutant.offer is None:
        change = mutant.change.replace("'", "''")
        yield paint(
            "quiet", "      No random input tells it apart. If nobody can see the change, say so in exercise.yaml:"
        )
        yield "      mutants:"
        yield "        equivalent:"
        yield f"          - change: '{change}'"
        yield "            reason: …"
        return
    yield paint("quiet", f"      This case tells it apart ({mutant.offer.seen}):")
    for line in mutant.offer.code.splitlines():
        yield f"      {line}"
