"""Grades code: a job for the sandbox, the comparison of what came back, an outcome. On plain values, no database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from graders import arrays
from graders import cases as graders_cases
from graders.cases import Failure, Given, Inputs, Key, Raised, Returned, listed_mistakes
from graders.comparisons import Comparison
from graders.feedback import of_failure
from graders.judging import judge_case, judge_submission, with_breaches
from graders.metrics import Training
from graders.outcomes import CaseOutcome, Outcome, Verdict
from graders.property_lines import demanded_properties
from graders.scoring import fold_draws
from worker.cases import AUTHOR_LIMITS, PRINTED_TEXT, Case, CasesError, MistakeOutput, make_cases
from worker.demands import Actual, further_calls
from worker.got import with_actuals
from worker.hidden_cases import smallest_hidden_case
from worker.sandbox.job import Call, RunReport, Status, StudentError, Value
from worker.solution import Lane, Ran, Request, Runner, Surroundings, breaches_in, run_solution
from worker.values import graders_value

VERDICTS: Final[dict[Status, Verdict]] = {
    Status.FINISHED: Verdict.RUNTIME_ERROR,
    Status.EXITED: Verdict.RUNTIME_ERROR,
    Status.CRASHED: Verdict.RUNTIME_ERROR,
    Status.TIMED_OUT: Verdict.TIME_LIMIT,
    Status.OUT_OF_MEMORY: Verdict.MEMORY_LIMIT,
    Status.OUTPUT_TOO_LARGE: Verdict.OUTPUT_LIMIT,
    Status.TASK_LIMIT: Verdict.RESOURCE_LIMIT,
    Status.FILTER_KILLED: Verdict.POLICY_VIOLATION,
    Status.GARBLED: Verdict.INVALID_OUTPUT,
}
"""What a case gets that a run of this status did not reach. A run that finished without a result gave none."""

OnCases = Callable[[Sequence[CaseOutcome]], None]
"""Is given the outcomes so far: of a hidden case once all its draws are judged."""


def key_of(exercise: Mapping[str, Any], cases: Sequence[Case]) -> Key:
    """What the cases of an exercise are judged by."""
    return Key(
        cases=tuple(_graders_case(case, exercise) for case in cases),
        comparison=Comparison.from_definition(exercise["compare"]),
        mistakes=listed_mistakes(exercise),
        properties=demanded_properties(exercise),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Cases as the sandbox takes them, the key that the graders judge by, further calls by number of the case, and
    what stands beside a solution.
    """

    cases: tuple[Case, ...]
    key: Key
    further: Mapping[int, Sequence[Call]] = field(default_factory=dict)
    beside: Surroundings = Surroundings()

    @property
    def visible(self) -> Prepared:
        """The same without hidden cases."""
        cases = tuple(case for case in self.cases if case.visible)
        further = {number: calls for number, calls in self.further.items() if number < len(cases)}
        key = replace(self.key, cases=self.key.cases[: len(cases)])
        return replace(self, cases=cases, key=key, further=further)

    def request(self, name: str, exercise: Mapping[str, Any], source: str, *, lane: Lane = "submission") -> Request:
        """What is to be run of a solution."""
        calls = () if exercise["kind"] == "script" else tuple(case.call for case in self.cases)
        return Request(
            id=name,
            exercise=exercise,
            source=source,
            calls=calls,
            lane=lane,
            further=self.further,
            beside=self.beside,
        )


def prepare(definition: Mapping[str, Any], cases: Sequence[Case]) -> Prepared:
    """Cases made ready for grading."""
    key = key_of(definition["exercise"], cases)
    further = further_calls(key, [case.call for case in cases])
    return Prepared(cases=tuple(cases), key=key, further=further, beside=Surroundings.of(definition))


def make_sound_cases(definition: Mapping[str, Any], seeds: Sequence[int], runner: Runner) -> Prepared:
    """The cases of an exercise, made ready; the reference has all that the exercise asks for beside values.

    Raises: CasesError (the author's code), SandboxError (ours).
    """
    exercise = definition["exercise"]
    made = prepare(definition, make_cases(definition, seeds, runner))
    if made.key.properties or exercise.get("training"):
        request = replace(
            made.request("reference", exercise, definition["files"]["reference.py"]), limits=AUTHOR_LIMITS
        )
        outcome, _ = grade_code(runner, request, made.key)
        lacking = next((case for case in outcome.cases if case.verdict != Verdict.ACCEPTED), None)
        if lacking is not None:
            raise CasesError(f"reference.py: {lacking.name}: {lacking.feedback.summary}")
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """An outcome, with the report of the run and what it gave for each case of the key."""

    outcome: Outcome
    report: RunReport
    given: Sequence[Given | None]


def grade_code(
    runner: Runner, request: Request, key: Key, on_cases: OnCases | None = None
) -> tuple[Outcome, RunReport]:
    """Runs a solution and judges it by the key, whose cases are those of the request's calls.

    `on_cases` is called each time that a case has been judged. Raises: SandboxError (ours).
    """
    graded = grade_with_given(runner, request, key, on_cases)
    return graded.outcome, graded.report


def grade_with_given(runner: Runner, request: Request, key: Key, on_cases: OnCases | None = None) -> Graded:
    """As `grade_code`; with what the solution gave."""
    judge = _Judge(key=key, on_cases=on_cases)
    ran = run_solution(runner, request, judge.take)
    given, failure = given_by(ran, key), failure_of(ran.report)
    outcome = judge_submission(key, given, failure=failure, judged=judge.outcomes)
    if outcome.verdict != Verdict.ACCEPTED:
        ended = None if ran.ended_in is None else (ran.ended_in, of_failure(failure))
        kept = smallest_hidden_case(key, request.calls, given=given, judged=judge.outcomes, ended=ended)
        outcome = replace(outcome, hidden_case=kept)
    # Lines of properties are visible too, and stand behind hidden cases.
    shown = {number: actual for number, actual in ran.actuals.items() if key.cases[number].visible}
    outcome = with_actuals(outcome, shown)
    return Graded(outcome=with_breaches(outcome, breaches_in(request.exercise, ran)), report=ran.report, given=given)


def given_by(ran: Ran, key: Key) -> list[Given | None]:
    """What a solution gave for each case of the key; None where it was not reached."""
    return [
        _given(ran.actuals[number], case) if number in ran.actuals else None for number, case in enumerate(key.cases)
    ]


def failure_of(report: RunReport) -> Failure:
    """How the run ended, for the cases that it did not reach."""
    error = report.load_error
    return Failure(verdict=VERDICTS[report.status], detail=report.detail, error=_raised(error) if error else None)


@dataclass(slots=True)
class _Judge:
    """Judges cases while the run goes on."""

    key: Key
    on_cases: OnCases | None
    outcomes: dict[int, CaseOutcome] = field(default_factory=dict)

    def take(self, number: int, actual: Actual) -> None:
        case = self.key.cases[number]
        self.outcomes[number] = judge_case(case, _given(actual, case), self.key.comparison)
        if self.on_cases:
            self.on_cases(self._whole_cases())

    def _whole_cases(self) -> list[CaseOutcome]:
        draws: dict[tuple[bool, int], list[CaseOutcome | None]] = {}
        for number, case in enumerate(self.key.cases):
            draws.setdefault((case.visible, case.index), []).append(self.outcomes.get(number))
        judged = ([outcome for outcome in group if outcome] for group in draws.values() if all(group))
        return [fold_draws(group) for group in judged]


def _graders_case(case: Case, exercise: Mapping[str, Any]) -> graders_cases.Case:
    inputs = _inputs(case.call.args, case.call.kwargs, case.call.state)
    gradients = None if case.gradients is None else _graders_values(case.gradients)
    return graders_cases.Case(
        name=case.name,
        visible=case.visible,
        index=case.index,
        draw=case.draw,
        points=case.points,
        expected=graders_value(case.expected),
        mistakes={slug: _mistake(output, inputs, gradients) for slug, output in case.mistakes.items()},
        compare_as_printed=case.name == PRINTED_TEXT,
        inputs=inputs,
        parameters=case.parameters,
        inputs_unchanged=exercise.get("inputs_unchanged", False),
        gradients=gradients,
        training=Training.from_definition(exercise.get("training")),
        targets=graders_value(case.targets),
    )


def _mistake(output: MistakeOutput, inputs: Inputs, names: Iterable[str] | None) -> Given:
    if output.error_type:
        return Raised(type=output.error_type, message=output.error_message)
    after = inputs if output.after is None else _inputs(*output.after)
    gradients = dict(zip(names or (), map(graders_value, output.gradients), strict=False))
    return Returned(value=graders_value(output.value), after=after, gradients=gradients)


def _given(actual: Actual, case: graders_cases.Case) -> Given:
    if actual.error:
        return _raised(actual.error)
    # What a run forged may be too short: then gradients are missing.
    gradients: Mapping[str, arrays.Value] | Raised = (
        _raised(actual.gradients)
        if isinstance(actual.gradients, StudentError)
        else dict(zip(case.gradients or (), map(graders_value, actual.gradients), strict=False))
    )
    return Returned(
        value=graders_value(actual.value),
        after=_inputs(*actual.after) if actual.after else None,
        gradients=gradients,
        steps=actual.steps,
        further=tuple(_given(each, case) for each in actual.further),
    )


def _inputs(args: Sequence[Value], kwargs: Mapping[str, Value], state: Mapping[str, Value] | None = None) -> Inputs:
    return Inputs(
        args=tuple(map(graders_value, args)), kwargs=_graders_values(kwargs), state=_graders_values(state or {})
    )


def _graders_values(values: Mapping[str, Value]) -> dict[str, arrays.Value]:
    return {name: graders_value(value) for name, value in values.items()}


def _raised(error: StudentError) -> Raised:
    return Raised(type=error.type, message=error.message, line=error.line, traceback=error.traceback)
