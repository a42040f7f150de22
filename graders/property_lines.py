"""Each property of a submission as a line like a case, with its own points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from graders import feedback
from graders.arrays import Value
from graders.cases import Case, Demanded, Given, Key, Raised, Returned
from graders.feedback_on_properties import name_of, of_property, of_violation
from graders.metrics import measure
from graders.mismatches import Mismatch
from graders.outcomes import CaseOutcome, Feedback, Verdict
from graders.properties import parse_property
from graders.property_calls import Further, further_calls
from graders.property_checks import Violation, violation

Unmet = tuple[Verdict, Feedback]
# A case, what the solution gave for it, and the further calls of each property.
Told = tuple[Case, Given | None, Sequence[tuple[Further, ...]]]


def demanded_properties(exercise: Mapping[str, Any]) -> tuple[Demanded, ...]:
    """The properties that exercise.yaml asks for, in its order. Raises: DefinitionError."""
    return tuple(
        Demanded(property=parse_property(fields["property"]), points=Decimal(str(fields["points"])))
        for fields in exercise.get("properties") or ()
    )


def calls_for(case: Case, properties: Sequence[Demanded]) -> list[tuple[Further, ...]]:
    """For each property the further calls that it needs in a case."""
    return [further_calls(demanded.property, case.inputs, case.parameters) for demanded in properties]


def property_lines(key: Key, given: Sequence[Given | None], stopped: Unmet) -> tuple[CaseOutcome, ...]:
    """The outcome of each property: accepted if it holds in every case; else told by the first in which it does not.

    A case that raised, or was not reached (`stopped` says why), leaves its properties open: they get its verdict.
    """
    if not key.properties:
        return ()
    told = [(case, result, calls_for(case, key.properties)) for case, result in zip(key.cases, given, strict=True)]
    return tuple(_line(key, told, place, stopped) for place in range(len(key.properties)))


def _line(key: Key, told: Sequence[Told], place: int, stopped: Unmet) -> CaseOutcome:
    demanded = key.properties[place]
    found = (_unmet(key, each, place, stopped) for each in told)
    first = next((unmet for unmet in found if unmet is not None), None)
    verdict, said = first or (Verdict.ACCEPTED, of_property(len({(case.visible, case.index) for case in key.cases})))
    return CaseOutcome(
        name=name_of(demanded.property),
        visible=True,
        verdict=verdict,
        points=demanded.points if first is None else Decimal(0),
        max_points=demanded.points,
        feedback=said,
    )


def _unmet(key: Key, told: Told, place: int, stopped: Unmet) -> Unmet | None:
    case, result, calls = told
    if result is None:
        return stopped[0], feedback.of_not_reached(stopped[1])
    if isinstance(result, Raised):
        return Verdict.RUNTIME_ERROR, feedback.of_exception(result, visible=case.visible)
    start = sum(len(each) for each in calls[:place])
    outputs = result.further[start : start + len(calls[place])]
    if len(outputs) < len(calls[place]):
        return stopped[0], feedback.of_not_reached(stopped[1])
    for output in outputs:
        if isinstance(output, Raised):
            return Verdict.RUNTIME_ERROR, feedback.of_exception(output, visible=case.visible)
    values = [result.value, *(output.value for output in outputs if isinstance(output, Returned))]
    lacking = _lacking(key, case, place, values, calls[place])
    if lacking is None:
        return None
    asked = key.properties[place].property
    return Verdict.WRONG_ANSWER, of_violation(asked, lacking, case=case.name, visible=case.visible)


def _lacking(key: Key, case: Case, place: int, outputs: Sequence[Value], calls: Sequence[Further]) -> Violation | None:
    """How the output of a case lacks the property; predictions must have the form that can be measured."""
    asked, expected = key.properties[place].property, case.expected
    if case.training is not None:
        if isinstance(measure(case.training.metric, outputs[0], case.targets), Mismatch):
            return Violation(unfit="The predictions are not of the form that is measured.")
        expected = None
    return violation(asked, outputs, calls=calls, comparison=key.comparison, expected=expected)
