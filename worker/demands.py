"""What an exercise asks for beside the value of a call: as probes of the job, and as what came back of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.cases import Key
from graders.property_calls import Further
from graders.property_lines import calls_for
from worker.sandbox.job import Call, CallResult, Forbidden, Probes, StudentError, Unsupported, Value
from worker.sandbox.wire import WireError, error_from_json
from worker.values import border_value


@dataclass(frozen=True, slots=True, kw_only=True)
class Actual:
    """What a solution gave for one case: a value or an exception.

    Where its call was probed: `after` are args and kwargs afterwards, `gradients` one value for each place asked for,
    or what the call for them raised, `parameters` the names of the entry's parameters, `operators` those that it
    dispatched, `steps` how many an optimiser made. `further` is what further calls gave that belong to the case.
    """

    value: Value = None
    error: StudentError | None = None
    after: tuple[tuple[Value, ...], dict[str, Value]] | None = None
    gradients: tuple[Value, ...] | StudentError = ()
    parameters: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()
    steps: int = 0
    further: tuple[Actual, ...] = ()


def forbidden_in(exercise: Mapping[str, Any]) -> Forbidden | None:
    """What the text of a solution is surveyed for; None where nothing is forbidden in it."""
    forbid = exercise.get("forbid") or {}
    if not forbid.get("names") and not forbid.get("loops"):
        return None
    return Forbidden(names=tuple(forbid.get("names", ())), loops=bool(forbid.get("loops")))


def reference_probes(exercise: Mapping[str, Any], seed: int) -> Probes | None:
    """What to ask of the reference, by the names that its author gives; None where its value is all."""
    training = exercise.get("training") or {}
    probes = Probes(
        inputs=bool(exercise.get("inputs_unchanged")),
        gradients=tuple(exercise.get("gradients", ())),
        operators=bool((exercise.get("forbid") or {}).get("operators")),
        parameters=bool(exercise.get("properties")),
        steps=training.get("steps") is not None,
        reseed=training.get("seed"),
    )
    return None if probes == Probes() else replace(probes, seed=seed, parameters=True)


def solution_probes(asked: Probes, call: Call, parameters: Sequence[str]) -> Probes:
    """The same of any other solution: arguments are found by their position in the reference, as students rename."""
    places = tuple(_place(name, call, parameters) for name in asked.gradients)
    return replace(asked, gradients=places, parameters=False)


def _place(name: int | str, call: Call, parameters: Sequence[str]) -> int | str:
    if name in call.kwargs or name not in parameters:
        return name
    return list(parameters).index(str(name))


def further_calls(key: Key, calls: Sequence[Call]) -> dict[int, tuple[Call, ...]]:
    """By number of the case, the further calls that tell whether the key's properties hold."""
    found = {}
    for number, (case, call) in enumerate(zip(key.cases, calls, strict=True)):
        further = [each for group in calls_for(case, key.properties) for each in group]
        if further:
            found[number] = tuple(_further_call(call, each) for each in further)
    return found


def _further_call(call: Call, further: Further) -> Call:
    args = tuple(border_value(value) for value in further.inputs.args)
    kwargs = {name: border_value(value) for name, value in further.inputs.kwargs.items()}
    return replace(call, args=args, kwargs=kwargs, probes=None, fed=further.fed)


def actual_of(result: CallResult, call: Call) -> Actual:
    """What a result says; anything that a run may have forged is read, and nothing of it is believed to be in form."""
    if result.error is not None or call.probes is None:
        return Actual(value=result.value, error=result.error)
    parts = result.value
    steps = parts.get("steps") if isinstance(parts, dict) else 0
    if not isinstance(parts, dict) or "output" not in parts:
        return Actual(value=parts if isinstance(parts, Unsupported) else Unsupported(kind="no result"))
    return Actual(
        value=parts["output"],
        after=_after(parts.get("inputs")),
        gradients=_gradients(parts.get("gradients")),
        parameters=_names(parts.get("parameters")),
        operators=_names(parts.get("operators")),
        steps=steps if isinstance(steps, int) else 0,
    )


def _names(value: Value) -> tuple[str, ...]:
    return tuple(str(name) for name in value) if isinstance(value, tuple) else ()


def _after(value: Value) -> tuple[tuple[Value, ...], dict[str, Value]] | None:
    match value:
        case (tuple() as args, dict() as kwargs):
            return args, kwargs
    return None


def _gradients(value: Value) -> tuple[Value, ...] | StudentError:
    match value:
        case tuple():
            return value
        case {"raised": raised}:
            try:
                return error_from_json(raised)
            except WireError:
                return ()
    return ()
