"""What a student did in a course, and what was done for them, in the order of time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from heapq import nlargest
from operator import attrgetter
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from exercises.choices import RunKind
from exercises.models import (
    Activity,
    AssignmentStart,
    Course,
    Extension,
    Grading,
    Override,
    Refusal,
    Run,
    Submission,
    User,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something at a time; `row` is what tells of it."""

    at: datetime
    row: Any


def timeline_of(
    student: User, course: Course, overrides: Iterable[Override], *, before: datetime | None = None, most: int
) -> list[Event]:
    """The last events of the student in the course, the newest first; only what is older than `before`.

    `overrides` are all that there are (`overrides_of`); refusals come with their text.

    Runs of the playground belong to no course and are not among them. The number of queries is fixed.
    """
    events = [Event(at=row.at, row=row) for row in overrides if before is None or row.at < before]
    for rows, moment in _sources(student, course):
        found = rows if before is None else rows.filter(**{f"{moment}__lt": before})
        events += _events(found.order_by(f"-{moment}")[:most], moment)
    return nlargest(most, events, key=attrgetter("at"))


def overrides_of(student: User, course: Course) -> QuerySet[Override]:
    """The scores set by hand, those that stand first, then the newest first."""
    found = Override.objects.filter(student=student, exercise__course=course)
    related = found.select_related("exercise__published", "assignment", "by").defer("exercise__published__definition")
    return related.order_by("withdrawn_at", "-pk")


def _sources(student: User, course: Course) -> Iterable[tuple[QuerySet[Any], str]]:
    in_force = Grading.objects.filter(in_force=True).defer("feedback")
    about = ("exercise__published",)
    light = ("exercise__published__definition",)
    mine = {"student": student, "exercise__course": course}
    within = {"student": student, "assignment__course": course}
    handed_in = Submission.objects.filter(**mine).select_related("version", "assignment")
    runs = Run.objects.filter(Q(version__exercise__course=course) | Q(lesson__course=course), student=student)
    yield (
        handed_in.defer("source", "version__definition").prefetch_related(Prefetch("gradings", in_force)),
        "created_at",
    )
    yield (
        runs.exclude(kind=RunKind.JUDGED)
        .select_related("version__exercise", "lesson")
        .defer("source", "result", "version__definition", "lesson__source", "lesson__html", "lesson__search_text"),
        "queued_at",
    )
    yield Activity.objects.filter(**mine).select_related(*about).defer(*light), "at"
    yield Refusal.objects.filter(**mine).select_related(*about, "assignment").defer(*light), "at"
    yield AssignmentStart.objects.filter(**within).select_related("assignment"), "started_at"
    yield Extension.objects.filter(**within).select_related("assignment", "granted_by"), "granted_at"


def _events(rows: Iterable[Any], moment: str) -> list[Event]:
    return [Event(at=getattr(row, moment), row=row) for row in rows]
