"""Runs one solution (a student's, the reference, a mistake) of an exercise and lays its results out case by case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol

from worker.demands import Actual, actual_of
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
    Unsupported,
    Value,
)

Lane = Literal["run", "submission", "regrade"]


class Runner(Protocol):
    """Runs a job and reports: `worker.sandbox.client.Client` in the product, a stub in tests."""

    def run(self, job: Job, on_result: Callable[[CallResult], None] | None = None) -> RunReport: ...


OnActual = Callable[[int, Actual], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A solution to be run. A script has no calls; without `limits` the exercise's own hold."""

    id: str
    exercise: Mapping[str, Any]
    source: str
    calls: Sequence[Call] = ()
    lane: Lane = "submission"
    limits: Limits | None = None

    @property
    def is_script(self) -> bool:
        return bool(self.exercise["kind"] == "script")

    def job(self) -> Job:
        limits = self.limits or exercise_limits(self.exercise)
        return Job(id=self.id, program=self._program(), limits=limits, lane=self.lane)

    def _program(self) -> Program:
        if self.is_script:
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
    runner: Runner, request: Request, on_actual: OnActual | None = None
) -> tuple[RunReport, dict[int, Actual]]:
    """The report, and what the solution gave by number of the case; a case that was not reached is absent.

    `on_actual` is called with each case of a function as soon as it is in. Raises: SandboxError for faults of ours.
    """
    if request.is_script:
        report = runner.run(request.job())
        return report, dict(enumerate(_script_actuals(request.exercise, report)))
    report = runner.run(request.job(), partial(_relay, on_actual, request) if on_actual else None)
    return report, {result.index: actual_of(result, request.calls[result.index]) for result in report.results}


def _relay(on_actual: OnActual, request: Request, result: CallResult) -> None:
    on_actual(result.index, actual_of(result, request.calls[result.index]))


def _script_actuals(exercise: Mapping[str, Any], report: RunReport) -> list[Actual]:
    """One for each collected variable, then one for the printed text where the exercise asks for it."""
    if not report.results:
        return []
    result = report.results[0]
    variables = result.value if isinstance(result.value, dict) else {}
    values: list[Value] = [
        variables.get(name, Unsupported(kind=f"no variable named {name}")) for name in exercise["collect"]
    ]
    if exercise["stdout"]:
        values.append(report.stdout)
    return [Actual(error=result.error) if result.error else Actual(value=value) for value in values]
