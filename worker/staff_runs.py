"""What staff are told of a run through all cases: each hidden case with what was put in, expected and got."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from graders.cases import Failure, Given, Key
from graders.feedback import of_failure
from graders.judging import judge_case
from graders.outcomes import Feedback, Verdict
from worker.grading import Graded, Prepared, failure_of
from worker.hidden_cases import case_as_json

TOLD_BYTES: Final = 2 * 1024 * 1024


def for_staff(made: Prepared, graded: Graded) -> dict[str, Any]:
    """As JSON `feedback` of the whole, its score, and `hidden`: each draw of each hidden case, by `index` and `draw`.

    The first that take 2 MB together are told in full, and later ones by name, verdict and words.
    """
    outcome, left, hidden = graded.outcome.to_json(), TOLD_BYTES, []
    for number, told in _told(made.key, graded):
        case = made.key.cases[number]
        place = {"index": case.index, "draw": case.draw, "verdict": told[0].value}
        whole = case_as_json(case, made.cases[number].call, graded.given[number], told=told[1])
        left -= len(json.dumps(whole)) if whole else 0
        brief = {"name": case.name, "feedback": {"summary": told[1].summary}}
        hidden.append({**place, **(whole if whole and left >= 0 else brief)})
    return {**{name: outcome[name] for name in ("feedback", "score", "max_score")}, "hidden": hidden}


def _told(key: Key, graded: Graded) -> Iterator[tuple[int, tuple[Verdict, Feedback]]]:
    """The number of each hidden case, with what would be said of it were it visible."""
    failure = failure_of(graded.report)
    for number, case in enumerate(key.cases):
        if not case.visible:
            yield number, _judged(key, number, graded.given[number], failure)


def _judged(key: Key, number: int, given: Given | None, failure: Failure) -> tuple[Verdict, Feedback]:
    if given is None:
        return failure.verdict, of_failure(failure)
    outcome = judge_case(replace(key.cases[number], visible=True), given, key.comparison)
    return outcome.verdict, outcome.feedback
