"""Hand-ins that were not taken, with when and why: for their student, and for staff to decide."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.urls import reverse

from exercises.learn.stretches import Stretch, stretch_of
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


def refused_at(request: HttpRequest, student: User, exercise: Exercise) -> Stretch[Refusal]:
    """The student's own at this exercise, the newest first, as far back as the address asks for."""
    return stretch_of(request, Refusal.objects.filter(student=student, exercise=exercise), size=SHOWN)


def refused_in(request: HttpRequest, assignment: Assignment) -> Stretch[Refusal]:
    """All of an assignment, likewise."""
    found = assignment.refusals.select_related("student", "exercise__published")
    return stretch_of(request, found.defer("exercise__published__definition"), size=SHOWN)


def own_lines(refusals: Iterable[Refusal]) -> list[RefusedLine]:
    """A line for each, for the student."""
    return [
        RefusedLine(
            at=row.at,
            reason=row.get_reason_display(),
            text=_text(row),
            restore_url=reverse("learn:restore-refused", args=(row.pk,)),
        )
        for row in refusals
    ]


def staff_lines(refusals: Iterable[Refusal]) -> list[RefusedLine]:
    """A line for each, for staff."""
    return [
        RefusedLine(
            at=row.at,
            reason=row.get_reason_display(),
            text=_text(row),
            student=str(row.student),
            about=row.exercise.published.title if row.exercise.published else row.exercise.slug,
        )
        for row in refusals
    ]


def _text(refusal: Refusal) -> str:
    if refusal.source or refusal.response is None:
        return refusal.source
    if isinstance(refusal.response, str):
        return refusal.response
    return json.dumps(refusal.response, ensure_ascii=False)
