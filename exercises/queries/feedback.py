"""What may be seen of a grading: the one place where that is decided."""

from __future__ import annotations

from typing import Any

from exercises import live
from exercises.blobs import unpack
from exercises.choices import State
from exercises.models import Grading, Run, User
from exercises.queries.courses import is_staff_of


def feedback_of(grading: Grading, viewer: User) -> dict[str, Any]:
    """Feedback of a grading as this viewer may see it, as JSON: `feedback`, `cases`, `stdout`.

    While it runs, `cases` holds those judged so far. Students get no details of hidden cases, staff get `evidence` too.

    Raises:
        Grading.DoesNotExist: it is another's, and the viewer is not staff of the course.
    """
    is_staff = is_staff_of(viewer, grading.submission.exercise.course)
    if viewer.pk != grading.student_id and not is_staff:
        raise Grading.DoesNotExist(f"no grading {grading.pk} for this viewer")
    content = {"feedback": None, "stdout": "", "cases": _partial(grading), "evidence": "", **unpack(grading.feedback)}
    return content if is_staff else _for_student(content)


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
