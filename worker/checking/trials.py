"""Tries a solution on the cases of an exercise: is it accepted, and if not, by which case is it refused?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.cases import Given, Key, Raised
from graders.judging import judge_case, judge_submission
from graders.outcomes import Verdict
from worker.grading import given_by
from worker.sandbox.job import Status
from worker.solution import Request, Runner, breaches_in, run_solution


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """`by` is the case that refuses first, empty where all accept. `is_broken`: no case got a value."""

    by: str = ""
    is_broken: bool = False
    status: Status = Status.FINISHED
    detail: str = ""
    cpu_seconds: float = 0.0

    @property
    def is_accepted(self) -> bool:
        return not self.by


def try_solution(runner: Runner, request: Request, key: Key) -> Trial:
    """What the cases say of a solution; no time is spent on why. Raises: SandboxError (ours)."""
    ran = run_solution(runner, request)
    given = given_by(ran, key)
    by = "the rules" if breaches_in(request.exercise, ran) else refusing_case(key, given)
    return Trial(
        by=by,
        is_broken=all(result is None or isinstance(result, Raised) for result in given),
        status=ran.report.status,
        detail=ran.report.detail,
        cpu_seconds=ran.report.cpu_seconds,
    )


def refusing_case(key: Key, given: Sequence[Given | None]) -> str:
    """The name of the first case, or property, that refuses what was given; empty where none does."""
    for case, result in zip(key.cases, given, strict=True):
        if result is None or judge_case(case, result, key.comparison).verdict != Verdict.ACCEPTED:
            return case.name
    if not key.properties:
        return ""
    outcome = judge_submission(key, given)
    return next((case.name for case in outcome.cases if case.verdict != Verdict.ACCEPTED), "")
