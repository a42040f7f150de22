"""Hand-ins that were not taken, with when and why: for their student, and for staff to decide."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse

from exercises.models import Assignment, Exercise, Refusal, User

SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedLine:
    """`student` and `about` are for staff; `restore_url`, for the student, puts the text into the form again."""

    at: datetime
    reason: str
    text: str
    student: str = ""
    about: str = ""
    restore_url: str = ""


def refused_lines(student: User, exercise: Exercise) -> list[RefusedLine]:
    """The student's own at this exercise, the newest first."""
    found = Refusal.objects.filter(student=student, exercise=exercise).order_by("-pk")[:SHOWN]
    return [
        RefusedLine(
            at=row.at,
            reason=row.get_reason_display(),
            text=_text(row),
            restore_url=reverse("learn:restore-refused", args=(row.pk,)),
        )
        for row in found
    ]


def refused_in(assignment: Assignment) -> list[RefusedLine]:
    """All of an assignment, the newest first."""
    found: QuerySet[Refusal] = assignment.refusals.select_related("student", "exercise__published").order_by("-pk")
    return [
        RefusedLine(
            at=row.at,
            reason=row.get_reason_display(),
            text=_text(row),
            student=str(row.student),
            about=row.exercise.published.title if row.exercise.published else row.exercise.slug,
        )
        for row in found.defer("exercise__published__definition")[:SHOWN]
    ]


def _text(refusal: Refusal) -> str:
    if refusal.source or refusal.response is None:
        return refusal.source
    if isinstance(refusal.response, str):
        return refusal.response
    return json.dumps(refusal.response, ensure_ascii=False)
