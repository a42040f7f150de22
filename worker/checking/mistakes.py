"""Checks that each listed mistake is refused, and is told from the others."""

from __future__ import annotations

from collections.abc import Iterator

from graders.outcomes import Outcome, Verdict
from worker.checking.drawing import Material
from worker.checking.findings import Check, Finding
from worker.grading import grade_code


def mistake_findings(material: Material) -> Iterator[Finding]:
    """What is wrong with the listed mistakes. Raises: SandboxError (ours)."""
    listed = material.exercise["mistakes"]
    if not listed:
        yield _finding("no mistake is listed: a frequent one could be explained to whoever makes it", is_remark=True)
    for slug in listed:
        file = f"mistakes/{slug}.py"
        request = material.made.request(slug, material.exercise, material.source(file), lane="regrade")
        outcome, _ = grade_code(material.runner, request, material.made.key)
        if outcome.verdict == Verdict.ACCEPTED:
            yield _finding("is accepted: no case tells it from the reference", file=file)
        # Predictions say nothing of how they were made.
        elif not _is_ruled_out(outcome) and not material.is_training:
            yield from _of_causes(slug, file, outcome, set(listed))


def _is_ruled_out(outcome: Outcome) -> bool:
    """Whether it breaks a rule of the exercise, which is said instead of any explanation."""
    return outcome.feedback.cause == "forbidden"


def _of_causes(slug: str, file: str, outcome: Outcome, listed: set[str]) -> Iterator[Finding]:
    causes = {case.feedback.cause for case in outcome.cases} | {outcome.feedback.cause}
    if slug in causes:
        return
    if others := sorted(causes & listed):
        yield _finding(f"cannot be told from mistakes/{others[0]}.py: they give the same in every case", file=file)
    else:
        message = "is refused, but not known again: its outputs are too close to those of the reference to speak for it"
        yield _finding(message, file=file)


def _finding(message: str, *, file: str = "", is_remark: bool = False) -> Finding:
    return Finding(check=Check.MISTAKES, message=message, file=file, is_remark=is_remark)
