"""The smallest hidden case that failed, as JSON: what a student may be shown where the exercise says so."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from graders import arrays
from graders.cases import Case, Given, Key, Returned
from graders.judging import judge_case
from graders.outcomes import CaseOutcome, Feedback, Verdict
from graders.property_lines import property_lines
from worker.cases import MEASURED, shown_call
from worker.sandbox.job import Call
from worker.values import border_value, shown

WHOLE_BYTES: Final = 256 * 1024
ACTUAL_BYTES: Final = 16 * 1024


def smallest_hidden_case(
    key: Key,
    calls: Sequence[Call],
    *,
    given: Sequence[Given | None],
    judged: Mapping[int, CaseOutcome],
    ended: tuple[int, Feedback] | None,
) -> dict[str, Any] | None:
    """Name, inputs, expected and actual value and feedback of the hidden case with the fewest elements that failed.

    A case whose value is right may fail for a property. `ended` is the case in which the run ended, with what to tell
    of that: where no other failed it is that one, if it is hidden. None where there is none, or where it takes more
    than 256 KB.
    """
    in_order = sorted(_hidden(key), key=lambda number: (_elements(key.cases[number]), number))
    for number in in_order:
        is_whole = ended is None or number != ended[0]
        told = _told(key, number, given[number], judged.get(number), is_whole=is_whole)
        if told is not None:
            return case_as_json(key.cases[number], calls[number], given[number], told=told)
    if ended is None or key.cases[ended[0]].visible:
        return None
    number, told = ended
    return case_as_json(key.cases[number], calls[number], given[number], told=told)


def _hidden(key: Key) -> list[int]:
    return [number for number, case in enumerate(key.cases) if not case.visible]


def _told(
    key: Key, number: int, result: Given | None, outcome: CaseOutcome | None, *, is_whole: bool
) -> Feedback | None:
    """What is said of a case as if it were visible; None where nothing failed in it, or it was not reached.

    Of a case that is not whole, since the run ended in a further call of it, no property is said to fail.
    """
    if result is None:
        return None
    case = replace(key.cases[number], visible=True)
    if outcome is None or outcome.verdict != Verdict.ACCEPTED:
        seen = judge_case(case, result, key.comparison)
        if seen.verdict != Verdict.ACCEPTED:
            return seen.feedback
    if not is_whole:
        return None
    lines = property_lines(replace(key, cases=(case,)), [result], (Verdict.RUNTIME_ERROR, Feedback()))
    for line in lines:
        if line.verdict != Verdict.ACCEPTED:
            return replace(line.feedback, summary=f"{line.name}. {line.feedback.summary}")
    return None


def case_as_json(case: Case, call: Call, result: Given | None, *, told: Feedback) -> dict[str, Any] | None:
    """Name, inputs, expected and actual value and what is `told` of a case; None where it takes more than 256 KB."""
    plain = {
        **shown_call(call),
        # As for visible cases: predictions of the reference are near to the targets.
        "expected": _shown(case.expected) if case.targets is None else MEASURED,
        "feedback": asdict(told),
    }
    if isinstance(result, Returned) and _bytes(actual := _shown(result.value)) <= ACTUAL_BYTES:
        plain["actual"] = actual
    return plain if _bytes(plain) <= WHOLE_BYTES else None


def _elements(case: Case) -> int:
    return sum(_size(value) for value in (*case.inputs.args, *case.inputs.kwargs.values()))


def _size(value: arrays.Value) -> int:
    if isinstance(value, arrays.Array):
        return value.values.size
    if isinstance(value, dict):
        return sum(_size(item) for item in value.values())
    if isinstance(value, list | tuple):
        return sum(_size(item) for item in value)
    return 1


def _shown(value: arrays.Value) -> Any:
    return shown(border_value(value))


def _bytes(plain: Any) -> int:
    return len(json.dumps(plain))
