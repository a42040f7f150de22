"""What may be seen of a grading: the one place where that is decided."""

from __future__ import annotations

from typing import Any, Final

from exercises import live
from exercises.blobs import unpack
from exercises.choices import State
from exercises.models import Grading, Run, User
from exercises.queries.encounters import Encounter
from exercises.queries.reveals import may_see_hidden_case

NOTHING: Final = {"feedback": None, "stdout": "", "evidence": "", "hidden_case": None}


def feedback_of(grading: Grading, viewer: User, *, met: Encounter | None = None) -> dict[str, Any]:
    """Feedback of a grading as this viewer may see it, as JSON: `feedback`, `cases`, `stdout`, `hidden_case`.

    Nothing of it while an assignment withholds what was judged. `met` is what is known already of this viewer before
    the exercise.
    While it runs, `cases` holds those judged so far. Students get no details of hidden cases, and the smallest one that
    failed as `hidden_case` only where the exercise reveals it to them. Staff get all of that, and `evidence` too.

    Raises:
        Grading.DoesNotExist: it is another's, and the viewer is not staff of the course.
    """
    met = met or Encounter(viewer, grading.submission.exercise)
    if viewer.pk != grading.student_id and not met.is_staff:
        raise Grading.DoesNotExist(f"no grading {grading.pk} for this viewer")
    if not met.is_staff and met.withheld.hides(grading):
        return {**NOTHING, "cases": []}
    content = {**NOTHING, "cases": _partial(grading), **unpack(grading.feedback)}
    if met.is_staff:
        return content
    may_see = content["hidden_case"] is not None and may_see_hidden_case(viewer, met.exercise, met=met)
    return _for_student({**content, "hidden_case": content["hidden_case"] if may_see else None})


def result_of(run: Run) -> dict[str, Any]:
    """What a run gave, as JSON: printed text, error, value, tensors, cases; empty until it is done."""
    return _without_evidence(unpack(run.result))


def _partial(grading: Grading) -> list[dict[str, Any]]:
    """The cases judged so far; their feedback is made of all of them, at the end."""
    if grading.state != State.RUNNING:
        return []
    return [{"feedback": {}, **case} for case in live.read_partial(grading.pk)]


def _for_student(content: dict[str, Any]) -> dict[str, Any]:
    cases = [case if case["visible"] else _without_details(case) for case in content["cases"]]
    return {**_without_evidence(content), "cases": cases}


def _without_evidence(content: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != "evidence"}


def _without_details(case: dict[str, Any]) -> dict[str, Any]:
    return {**case, "feedback": {**case["feedback"], "details": None}}
