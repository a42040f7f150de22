"""Runs one solution (a student's, the reference, a mistake) of an exercise and lays its results out case by case."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, Protocol

from graders.rules import Breach, breaches
from worker.demands import Actual, actual_of, forbidden_in
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
from worker.values import graders_value

Lane = Literal["run", "submission", "regrade"]


class Runner(Protocol):
    """Runs a job and reports: `worker.sandbox.client.Client` in the product, a stub in tests."""

    def run(self, job: Job, on_result: Callable[[CallResult], None] | None = None) -> RunReport: ...


OnActual = Callable[[int, Actual], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A report, with what the solution gave by number of the case; a case that was not reached is absent.

    `findings` are what a survey found in its text, None where there was none. `ended_in` is the number of the case in
    which the run ended; None where it came to the end of all, or where nothing came of it that tells that any began.
    """

    report: RunReport
    actuals: dict[int, Actual]
    findings: Value = None
    ended_in: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What an exercise puts beside a solution: the text of a driver, and files of data by their path."""

    driver: str = ""
    files: dict[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, definition: Mapping[str, Any]) -> Surroundings:
        """Those in the definition of an exercise, where data stand as base64."""
        files: Mapping[str, str] = definition["files"]
        data = {path: base64.b64decode(text) for path, text in files.items() if path.startswith("data/")}
        return cls(driver=files.get("driver.py", ""), files=data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A solution to be run. A script has no calls; without `limits` the exercise's own hold.

    `further` are calls that are made right after that of a case, by its number; they belong to what it gave.
    """

    id: str
    exercise: Mapping[str, Any]
    source: str
    calls: Sequence[Call] = ()
    lane: Lane = "submission"
    limits: Limits | None = None
    further: Mapping[int, Sequence[Call]] = field(default_factory=dict)
    beside: Surroundings = Surroundings()

    @property
    def is_script(self) -> bool:
        return bool(self.exercise["kind"] == "script")

    def job(self) -> Job:
        limits = self.limits or exercise_limits(self.exercise)
        return Job(id=self.id, program=self._program(), limits=limits, lane=self.lane)

    def planned(self) -> list[tuple[int, Call]]:
        """All calls in the order in which they are made, each with the number of its case."""
        return [
            (number, each) for number, call in enumerate(self.calls) for each in (call, *self.further.get(number, ()))
        ]

    def _program(self) -> Program:
        if self.is_script:
            collect = tuple(self.exercise["collect"])
            return ScriptProgram(source=self.source, collect=collect, files=self.beside.files)
        return CallProgram(
            source=self.source,
            entry=self.exercise["entry"],
            calls=tuple(call for _, call in self.planned()),
            forbidden=forbidden_in(self.exercise),
            driver=self.beside.driver,
            files=self.beside.files,
        )


def exercise_limits(exercise: Mapping[str, Any]) -> Limits:
    """The limits that the author declared, in the sandbox's units."""
    declared = exercise["limits"]
    return Limits(
        cpu_seconds=float(declared["cpu_seconds"]),
        memory_bytes=int(declared["memory_mb"]) * MEBIBYTE,
        tasks=int(declared["tasks"]),
    )


def run_solution(runner: Runner, request: Request, on_actual: OnActual | None = None) -> Ran:
    """What a solution gave. `on_actual` is called with each case of a function as soon as all of it is in.

    Raises: SandboxError for faults of ours.
    """
    if request.is_script:
        report = runner.run(request.job())
        return Ran(report=report, actuals=dict(enumerate(_script_actuals(request.exercise, report))))
    results = _Results(plan=request.planned(), surveys=int(forbidden_in(request.exercise) is not None))
    report = runner.run(request.job(), partial(results.relay, on_actual) if on_actual else None)
    whole = replace(results, actuals={})
    for result in report.results:
        whole.take(result)
    ended_in = whole.begun_after(len(report.results))
    return Ran(report=report, actuals=whole.complete(), findings=whole.findings, ended_in=ended_in)


def breaches_in(exercise: Mapping[str, Any], ran: Ran) -> tuple[Breach, ...]:
    """Which of the exercise's rules a solution breaks, in its text or by the operators of its calls."""
    operators = [name for actual in ran.actuals.values() for name in actual.operators]
    return breaches(exercise.get("forbid") or {}, graders_value(ran.findings), operators)


@dataclass(slots=True, kw_only=True)
class _Results:
    """Lays results out by case: that of a survey first, if there is one, then those of the planned calls."""

    plan: Sequence[tuple[int, Call]]
    surveys: int
    actuals: dict[int, list[Actual]] = field(default_factory=dict)
    findings: Value = None

    def take(self, result: CallResult) -> int:
        """The number of the case of which the last call is now in; -1 while there is none."""
        place = result.index - self.surveys
        if place < 0:
            self.findings = result.value
            return -1
        number, call = self.plan[place]
        self.actuals.setdefault(number, []).append(actual_of(result, call))
        return number if place + 1 == len(self.plan) or self.plan[place + 1][0] != number else -1

    def relay(self, on_actual: OnActual, result: CallResult) -> None:
        if (number := self.take(result)) >= 0:
            on_actual(number, _joined(self.actuals[number]))

    def begun_after(self, results: int) -> int | None:
        """The number of the case whose call, or a further one of it, begins once so many results are in."""
        place = results - self.surveys
        # Before the first result the source may still have been loading.
        return self.plan[place][0] if results and 0 <= place < len(self.plan) else None

    def complete(self) -> dict[int, Actual]:
        """What each case gave that was reached. Further calls that were not are absent."""
        return {number: _joined(actuals) for number, actuals in self.actuals.items()}


def _joined(actuals: Sequence[Actual]) -> Actual:
    return replace(actuals[0], further=tuple(actuals[1:])) if len(actuals) > 1 else actuals[0]


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
