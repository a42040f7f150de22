"""Runs one solution (a student's, the reference, a mistake) of an exercise and lays its results out case by case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from worker.sandbox.job import (
    MEBIBYTE,
    Call,
    CallProgram,
    CallResult,
    Job,
    Limits,
    Program,
    RunReport,
    ScriptProgram,
    StudentError,
    Value,
)

Lane = Literal["run", "submission", "regrade"]


class Runner(Protocol):
    """Runs a job and reports: `worker.sandbox.client.Client` in the product, a stub in tests."""

    def run(self, job: Job, on_result: Callable[[CallResult], None] | None = None) -> RunReport: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """In place of a value that the solution did not leave: a variable that a script never set."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Actual:
    """What a solution gave for one case: a value or an exception."""

    value: Value | Missing = None
    error: StudentError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A solution to be run. `calls` is empty for a script."""

    id: str
    exercise: Mapping[str, Any]
    source: str
    calls: Sequence[Call] = ()
    lane: Lane = "submission"
    limits: Limits | None = None

    def job(self) -> Job:
        return Job(id=self.id, program=self._program(), limits=self.limits or exercise_limits(self.exercise), lane=self.lane)

    def _program(self) -> Program:
        if self.exercise["kind"] == "script":
            return ScriptProgram(source=self.source, collect=tuple(self.exercise["collect"]))
        return CallProgram(source=self.source, entry=self.exercise["entry"], calls=tuple(self.calls))


def exercise_limits(exercise: Mapping[str, Any]) -> Limits:
    """The limits that the author declared, in the sandbox's units."""
    declared = exercise["limits"]
    return Limits(
        cpu_seconds=float(declared["cpu_seconds"]),
        memory_bytes=int(declared["memory_mb"]) * MEBIBYTE,
        tasks=int(declared["tasks"]),
    )


def run_solution(
    runner: Runner, request: Request, on_actual: Callable[[int, Actual], None] | None = None
) -> tuple[RunReport, dict[int, Actual]]:
    """The report, and what the solution gave by number of the case; a case that was not reached is absent.

    `on_actual` is called as soon as a case's result is in. Raises: SandboxError for faults of ours.
    """
    is_script = request.exercise["kind"] == "script"

    def relay(result: CallResult) -> None:
        if on_actual and not is_script:
            on_actual(result.index, Actual(value=result.value, error=result.error))

    report = runner.run(request.job(), relay)
    if is_script:
        return report, _script_actuals(request.exercise, report)
    return report, {result.index: Actual(value=result.value, error=result.error) for result in report.results}


def _script_actuals(exercise: Mapping[str, Any], report: RunReport) -> dict[int, Actual]:
    """A case for each collected variable, then one for the printed text where the exercise asks for it."""
    if not report.results:
        return {}
    result = report.results[0]
    values = result.value if isinstance(result.value, dict) else {}
    actuals = [
        Actual(error=result.error) if result.error else Actual(value=values.get(name, Missing(name=name)))
        for name in exercise["collect"]
    ]
    if exercise["stdout"]:
        actuals.append(Actual(value=report.stdout, error=result.error))
    return dict(enumerate(actuals))
