"""What the solution gave for visible cases, as JSON to be shown beside what was expected."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from graders.outcomes import CaseOutcome, Outcome, Verdict
from worker.demands import Actual
from worker.values import shown

SHOWN_BYTES: Final = 64 * 1024


def with_actuals(outcome: Outcome, actuals: Mapping[int, Actual]) -> Outcome:
    """The outcome with `details["actual"]` for each visible case that is not accepted and gave a value.

    Visible cases come first, so that the place of one is its number in `actuals`. What takes more than 64 KB as JSON is
    left out.
    """
    cases = tuple(_with_actual(case, actuals.get(number)) for number, case in enumerate(outcome.cases))
    return replace(outcome, cases=cases)


def _with_actual(case: CaseOutcome, actual: Actual | None) -> CaseOutcome:
    if not case.visible or case.verdict is Verdict.ACCEPTED or actual is None or actual.error:
        return case
    value = shown(actual.value)
    if len(json.dumps(value)) > SHOWN_BYTES:
        return case
    details = {**(case.feedback.details or {}), "actual": value}
    return replace(case, feedback=replace(case.feedback, details=details))
