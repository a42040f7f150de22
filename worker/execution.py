"""Does one piece of claimed work: from the row to the sandbox and back to the row."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from structlog.contextvars import bound_contextvars

from exercises import services
from exercises.choices import Lane, RunKind
from exercises.models import Grading, Run
from exercises.services import Claim, RunFacts
from graders.outcomes import Verdict
from worker import solution
from worker.cases import CasesError
from worker.checks import CheckBrokenOffError, make_check
from worker.grading import failure_of, grade_code, grade_with_given
from worker.heartbeat import renewing
from worker.partial import PartialVerdicts
from worker.prepared import LaterReleaseError, prepared
from worker.sandbox.commands import PROTOCOL
from worker.sandbox.job import (
    Job,
    Limits,
    RunnerLostError,
    RunnerUnavailableError,
    RunReport,
    ScriptProgram,
    Status,
    StudentError,
)
from worker.solution import Runner
from worker.staff_runs import for_staff

logger = logging.getLogger(__name__)

LANES: Final[dict[int, solution.Lane]] = {
    Lane.RUN: "run",
    Lane.SUBMISSION: "submission",
    Lane.REPLACED: "regrade",
    Lane.REGRADE: "regrade",
}

CUT: Final = f"\n[cut here: at most {Limits().kept_bytes // 1024} KB of printed text are kept]\n"


def execute(claim: Claim, runner: Runner) -> None:
    """Makes and records the claimed run, grading or check; what fails on our side goes back to the queue."""
    with bound_contextvars(work=_name(claim)):
        _execute(claim, runner)


def _execute(claim: Claim, runner: Runner) -> None:
    try:
        with renewing(claim):
            _EXECUTE[claim.kind](claim, runner)
    except CheckBrokenOffError as error:
        logger.info("check %d is broken off: %s", claim.id, error)
        services.release(claim, str(error), is_try=False)
    except LaterReleaseError as error:
        logger.warning("%s %d is left to another worker: %s", claim.kind, claim.id, error)
        services.release(claim, str(error), is_try=False)
    except RunnerUnavailableError as error:
        logger.warning("%s %d waits: %s", claim.kind, claim.id, error)
        services.release(claim, str(error), is_try=isinstance(error, RunnerLostError))
    except Exception as error:  # The rim: a fault of ours must never be taken for the student's.
        logger.exception("%s %d failed on our side", claim.kind, claim.id)
        services.release(claim, f"{type(error).__name__}: {error}")


def _execute_grading(claim: Claim, runner: Runner) -> None:
    grading = Grading.objects.select_related("submission", "version__exercise__course").get(pk=claim.id)
    made = prepared(grading.version, runner)
    exercise, source = grading.version.definition["exercise"], grading.submission.source
    job = f"{_name(claim)}.submission-{grading.submission_id}"
    request = made.request(job, exercise, source, lane=LANES[grading.lane])
    outcome, report = grade_code(runner, request, made.key, PartialVerdicts(grading=grading).tell)
    services.record_outcome(claim, outcome, facts=_facts(report), printed=_printed(report))
    _log_end(outcome.verdict, report, submission=grading.submission_id)


def _execute_run(claim: Claim, runner: Runner) -> None:
    run = Run.objects.select_related("version__exercise__course", "lesson").get(pk=claim.id)
    if run.kind in (RunKind.CASES, RunKind.JUDGED):
        verdict, result, report = _run_cases(claim, run, runner)
    else:
        verdict, result, report = _run_script(run, runner)
    services.record_run(claim, verdict, result={**result, "stdout": _printed(report)}, facts=_facts(report))
    _log_end(verdict, report)


def _run_cases(claim: Claim, run: Run, runner: Runner) -> tuple[Verdict, dict[str, Any], RunReport]:
    """The visible cases of an exercise, judged as a submission would be; all of them where staff run a copy of one."""
    version = run.version
    assert version is not None
    try:
        made = prepared(version, runner)
    except CasesError as error:
        # Of what students meet it is a fault of ours, for staff to hear of; of a trial it is what its author looks for.
        if version.pk == version.exercise.published_id:
            raise
        return Verdict.RUNTIME_ERROR, _not_made(error), RunReport(status=Status.FINISHED)
    of_staff = run.kind == RunKind.JUDGED
    made = made if of_staff else made.visible
    request = made.request(_name(claim), version.definition["exercise"], run.source, lane="run")
    graded = grade_with_given(runner, request, made.key)
    raised = failure_of(graded.report).error
    result = {"cases": graded.outcome.to_json()["cases"], "error": asdict(raised) if raised else None}
    if of_staff:
        result |= for_staff(made, graded)
    return graded.outcome.verdict, result, graded.report


def _not_made(error: CasesError) -> dict[str, Any]:
    return {"cases": [], "error": asdict(StudentError(type="cases", message=str(error)))}


def _run_script(run: Run, runner: Runner) -> tuple[Verdict, dict[str, Any], RunReport]:
    """A free script, or a snippet after those that stand before it in its lesson."""
    program = ScriptProgram(source=run.source, before=_predecessors(run), inspect=True)
    report = runner.run(Job(id=f"run-{run.pk}", program=program, lane="run"))
    error = _error(report)
    verdict = failure_of(report).verdict if error else Verdict.ACCEPTED
    result = {
        "error": asdict(error) if error else None,
        "value": report.value_text,
        "tensors": [asdict(tensor) for tensor in report.tensors],
    }
    return verdict, result, report


def _predecessors(run: Run) -> tuple[str, ...]:
    if run.lesson is None or run.snippet is None or run.lesson.snippets[run.snippet]["fresh"]:
        return ()
    return tuple(snippet["source"] for snippet in run.lesson.snippets[: run.snippet])


def _error(report: RunReport) -> StudentError | None:
    if report.load_error:
        return report.load_error
    if report.status is not Status.FINISHED:
        return StudentError(type=report.status.value.replace("_", " "), message=report.detail)
    return next((result.error for result in report.results if result.error), None)


def _name(claim: Claim) -> str:
    return f"{claim.kind}-{claim.id}"


def _log_end(verdict: Verdict, report: RunReport, **facts: Any) -> None:
    """The line between those of the request and of the runner. It says of no one who it was."""
    facts |= {"verdict": verdict, "run_status": report.status, "cpu_ms": round(report.cpu_seconds * 1000)}
    logger.info("judged", extra={**facts, "ms": round(report.wall_seconds * 1000)})


def _facts(report: RunReport) -> RunFacts:
    return RunFacts(
        cpu_seconds=report.cpu_seconds,
        wall_seconds=report.wall_seconds,
        peak_memory_bytes=report.peak_memory_bytes,
        torch_version=report.torch_version,
        # A runner of another version of the protocol is refused: what ran speaks this one.
        runner_version=f"protocol {PROTOCOL}",
        cpu_capability=report.cpu_capability,
        evidence=report.evidence,
        did_load=report.load_error is None,
    )


def _printed(report: RunReport) -> str:
    """What was printed, then what went to standard error."""
    cut = CUT if report.stdout_truncated else ""
    return report.stdout + cut + report.stderr


_EXECUTE: Final[dict[str, Callable[[Claim, Runner], None]]] = {
    "run": _execute_run,
    "grading": _execute_grading,
    "check": make_check,
}
