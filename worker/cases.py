"""Cases of an exercise: inputs from `cases.py`, expected outputs from the reference, outputs of the listed mistakes.

All of it is author's code and runs in the sandbox. The result is one blob, made once for each grading hash.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from worker.demands import Actual, reference_probes, solution_probes
from worker.sandbox.job import (
    MEBIBYTE,
    Call,
    CasesProgram,
    Job,
    Limits,
    RunReport,
    Status,
    StudentError,
    TensorBytes,
    Unsupported,
    Value,
)
from worker.solution import Request, Runner, Surroundings, breaches_in, run_solution
from worker.values import shown

BLOB_BYTES = 16 * MEBIBYTE
HIDDEN_BYTES = 2 * MEBIBYTE
PRINTED_TEXT = "printed text"
MEASURED = "predictions, which are measured"
AUTHOR_LIMITS = Limits(cpu_seconds=20.0, memory_bytes=1024 * MEBIBYTE, result_bytes=BLOB_BYTES)
CASE_FIELDS = {"name", "args", "kwargs", "points", "init", "state", "targets"}


class CasesError(Exception):
    """The author's code gives no usable cases; the message names the file, what was expected and what was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MistakeOutput:
    """What a listed mistake gives for one case: a value, or the exception that it raises (`error_type` is set).

    `after` are args and kwargs after the call where it changes them, `gradients` those that are asked for.
    """

    value: Value = None
    error_type: str = ""
    error_message: str = ""
    after: tuple[tuple[Value, ...], dict[str, Value]] | None = None
    gradients: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One call with its expected output.

    `index` is its place among the visible or among the hidden cases; a hidden case stands here once for each `draw`.
    Where the exercise asks for more than values, `gradients` are the reference's by name, `parameters` its names.
    `targets` are what predictions are measured by; they never go where students' code runs.
    """

    index: int
    draw: int = 0
    points: Decimal
    call: Call
    expected: Value = None
    mistakes: Mapping[str, MistakeOutput]
    gradients: Mapping[str, Value] | None = None
    parameters: tuple[str, ...] = ()
    targets: Value = None

    @property
    def name(self) -> str:
        return self.call.name

    @property
    def visible(self) -> bool:
        return self.call.visible


def make_cases(definition: Mapping[str, Any], seeds: Sequence[int], runner: Runner) -> tuple[Case, ...]:
    """Runs cases, reference and mistakes of a `code` or `script` exercise: visible cases, then hidden ones by draw.

    Raises: CasesError where the author's code fails, gives no cases or leaves an expected output out.
    """
    exercise = definition["exercise"]
    cases = _script_cases(exercise) if exercise["kind"] == "script" else _drawn_cases(definition, seeds, runner)
    for case in cases:
        _refuse_targets(case, is_training=bool(exercise.get("training")))
    cases = _with_reference(runner, definition, cases)
    mistakes = {
        slug: _outputs_of_mistake(runner, definition, f"mistakes/{slug}.py", cases) for slug in exercise["mistakes"]
    }
    return tuple(
        replace(case, mistakes={slug: outputs[number] for slug, outputs in mistakes.items()})
        for number, case in enumerate(cases)
    )


def shown_cases(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """What students may see of the visible cases, as JSON; nothing of a script, whose expected values are the task."""
    return [
        _shown_case(case)
        for case in cases
        if case.visible and any((case.call.args, case.call.kwargs, case.call.init, case.call.state))
    ]


def shown_hidden_cases(cases: Sequence[Case]) -> list[dict[str, Any]]:
    """What staff may see of the hidden cases, as JSON: each draw of each, by `index` and `draw`.

    The first that take 2 MB together have their inputs and expected value; later ones only their name.
    """
    told, left = [], HIDDEN_BYTES
    for case in cases:
        if case.visible:
            continue
        place = {"index": case.index, "draw": case.draw}
        whole = {**place, **_shown_case(case)}
        left -= len(json.dumps(whole))
        told.append(whole if left >= 0 else {**place, "name": case.name})
    return told


def _shown_case(case: Case) -> dict[str, Any]:
    # Predictions of the reference are near to the targets, which nobody is to know.
    return {**shown_call(case.call), "expected": shown(case.expected) if case.targets is None else MEASURED}


def shown_call(call: Call) -> dict[str, Any]:
    """Name and inputs of a call as JSON; with `init` and `state` where it has them."""
    built = {"init": call.init, "state": call.state}
    return {
        "name": call.name,
        "args": [shown(value) for value in call.args],
        "kwargs": {name: shown(value) for name, value in call.kwargs.items()},
        **{name: shown(value) for name, value in built.items() if value is not None},
    }


def _script_cases(exercise: Mapping[str, Any]) -> tuple[Case, ...]:
    names = [*exercise["collect"], *([PRINTED_TEXT] if exercise["stdout"] else [])]
    return tuple(
        Case(index=index, points=Decimal(1), call=Call(name=name, visible=True), mistakes={})
        for index, name in enumerate(names)
    )


def _drawn_cases(definition: Mapping[str, Any], seeds: Sequence[int], runner: Runner) -> tuple[Case, ...]:
    source, files = definition["files"]["cases.py"], Surroundings.of(definition).files
    program = CasesProgram(source=source, seeds=tuple(seeds), files=files)
    report = runner.run(Job(id="cases", program=program, limits=AUTHOR_LIMITS, lane="regrade"))
    _refuse_failure("cases.py", report)
    cases: list[Case] = []
    for result in sorted(report.results, key=lambda result: result.index):
        if result.error:
            raise CasesError(f"cases.py raised {result.error.type}: {result.error.message}\n{result.error.traceback}")
        cases.extend(_listed_cases(result.value, draw=result.index - 1))
    if not cases:
        raise CasesError("cases.py: visible() and hidden() return no case; at least one is needed.")
    return tuple(cases)


def _listed_cases(entries: Value, draw: int) -> list[Case]:
    """Cases of `visible()` (draw -1) or of one draw of `hidden(generator)`."""
    function = "visible()" if draw < 0 else "hidden()"
    if not isinstance(entries, list):
        raise CasesError(f"cases.py: {function} returns a list of cases, not {_words(entries)}.")
    return [
        _listed_case(entry, f"cases.py: case {index} of {function}", index, draw) for index, entry in enumerate(entries)
    ]


def _listed_case(entry: Value, where: str, index: int, draw: int) -> Case:
    if not isinstance(entry, dict):
        raise CasesError(f"{where} is a dict with name and args, not {_words(entry)}.")
    if unknown := sorted(set(entry) - CASE_FIELDS):
        raise CasesError(f"{where} has the unknown field {unknown[0]!r}; known are {', '.join(sorted(CASE_FIELDS))}.")
    args, kwargs, name = entry.get("args", []), entry.get("kwargs", {}), entry.get("name", f"case {index + 1}")
    if not isinstance(args, list | tuple):
        raise CasesError(f"{where}: args is a list, not {_words(args)}.")
    if not isinstance(kwargs, dict):
        raise CasesError(f"{where}: kwargs is a dict, not {_words(kwargs)}.")
    if not isinstance(name, str):
        raise CasesError(f"{where}: name is text, not {_words(name)}.")
    call = Call(name=name[:100], visible=draw < 0, args=tuple(args), kwargs=kwargs)
    call = replace(call, init=_optional_dict(entry, "init", where), state=_optional_dict(entry, "state", where))
    return Case(
        index=index,
        draw=max(draw, 0),
        points=_points(entry.get("points", 1), where),
        call=call,
        mistakes={},
        targets=entry.get("targets"),
    )


def _refuse_targets(case: Case, *, is_training: bool) -> None:
    if is_training and not isinstance(case.targets, TensorBytes):
        raise CasesError(f"cases.py: case {case.name!r} has no targets; expected a tensor, since the exercise trains.")
    if not is_training and case.targets is not None:
        raise CasesError(f"cases.py: case {case.name!r} has targets; expected none without `training`.")


def _optional_dict(entry: dict[str, Value], field: str, where: str) -> dict[str, Value] | None:
    value = entry.get(field)
    if value is not None and not isinstance(value, dict):
        raise CasesError(f"{where}: {field} is a dict, not {_words(value)}.")
    return value


def _points(value: Value, where: str) -> Decimal:
    try:
        points = Decimal(str(value))
    except InvalidOperation:
        raise CasesError(f"{where}: points is a number, not {_words(value)}.") from None
    if isinstance(value, bool) or not points.is_finite() or points < 0:
        raise CasesError(f"{where}: points is a number of at least 0, not {value!r}.")
    return points


def _with_reference(runner: Runner, definition: Mapping[str, Any], cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases with what the reference gives; calls of other solutions are then probed by its parameters' places."""
    exercise = definition["exercise"]
    asked = [
        replace(case, call=replace(case.call, probes=reference_probes(exercise, number)))
        for number, case in enumerate(cases)
    ]
    ran = run_solution(runner, _author_request(definition, "reference.py", asked))
    _refuse_failure("reference.py", ran.report)
    if broken := breaches_in(exercise, ran):
        raise CasesError(f"reference.py uses {broken[0].name}, which the exercise forbids.")
    return tuple(_expected_case(case, ran.actuals.get(number)) for number, case in enumerate(asked))


def _expected_case(case: Case, actual: Actual | None) -> Case:
    expected, probes = _expected(case, actual), case.call.probes
    if actual is None or probes is None:
        return replace(case, expected=expected)
    if isinstance(actual.gradients, StudentError):
        raised = f"{actual.gradients.type}: {actual.gradients.message}"
        raise CasesError(f"reference.py gave no gradients for {case.name!r}: {raised}")
    if probes.inputs and actual.after != (case.call.args, case.call.kwargs):
        raise CasesError(f"reference.py changes its arguments for {case.name!r}, which the exercise forbids.")
    gradients = dict(zip(map(str, probes.gradients), actual.gradients, strict=True)) if probes.gradients else None
    if gradients and all(gradient is None for gradient in gradients.values()):
        raise CasesError(f"reference.py has no gradient for {', '.join(gradients)} for {case.name!r}.")
    call = replace(case.call, probes=solution_probes(probes, case.call, actual.parameters))
    return replace(case, call=call, expected=expected, gradients=gradients, parameters=actual.parameters)


def _expected(case: Case, actual: Actual | None) -> Value:
    if actual is None:
        raise CasesError(f"reference.py gave no output for {case.name!r}.")
    if actual.error:
        raise CasesError(f"reference.py raised {actual.error.type} for {case.name!r}: {actual.error.message}")
    if isinstance(actual.value, Unsupported):
        raise CasesError(f"reference.py gave {actual.value.kind} for {case.name!r}; expected a tensor, a number, …")
    return actual.value


def _outputs_of_mistake(
    runner: Runner, definition: Mapping[str, Any], file: str, cases: Sequence[Case]
) -> list[MistakeOutput]:
    """A mistake may fail: the type of its exception is then what tells it."""
    ran = run_solution(runner, _author_request(definition, file, cases))
    report = ran.report
    failure = Actual(error=report.load_error or StudentError(type=report.status.value, message=report.detail))
    return [_mistake_output(ran.actuals.get(number, failure), case) for number, case in enumerate(cases)]


def _mistake_output(actual: Actual, case: Case) -> MistakeOutput:
    if actual.error:
        return MistakeOutput(error_type=actual.error.type, error_message=actual.error.message)
    after = None if actual.after == (case.call.args, case.call.kwargs) else actual.after
    # One that raises where gradients are asked for has none.
    gradients = () if isinstance(actual.gradients, StudentError) else actual.gradients
    return MistakeOutput(value=actual.value, after=after, gradients=gradients)


def _author_request(definition: Mapping[str, Any], file: str, cases: Sequence[Case]) -> Request:
    exercise = definition["exercise"]
    return Request(
        id="cases",
        exercise=exercise,
        source=definition["files"][file],
        calls=() if exercise["kind"] == "script" else tuple(case.call for case in cases),
        lane="regrade",
        limits=AUTHOR_LIMITS,
        beside=Surroundings.of(definition),
    )


def _refuse_failure(file: str, report: RunReport) -> None:
    if report.load_error:
        raise CasesError(
            f"{file}: {report.load_error.type}: {report.load_error.message}\n{report.load_error.traceback}"
        )
    if report.status is not Status.FINISHED:
        raise CasesError(f"{file} did not end well: {report.detail or report.status.value}")


def _words(value: object) -> str:
    return value.kind if isinstance(value, Unsupported) else type(value).__name__
