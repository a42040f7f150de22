"""What a student can do by now, beside scores: in how many attempts, on which days; and what exercises are about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import TruncDate

from exercises.choices import Difficulty
from exercises.models import Attempt, BestScore, Exercise, Run, Submission, User
from exercises.queries.withheld import Withheld

NO_ZONE = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseFacts:
    """What lists are filtered by; `topics` are the tags, in the author's order."""

    difficulty: Difficulty = Difficulty.MEDIUM
    topics: tuple[str, ...] = ()


def exercise_facts(exercises: Iterable[Exercise]) -> dict[int, ExerciseFacts]:
    """The facts of published exercises, by id, in one query that reads no definition whole."""
    stated = Exercise.objects.filter(pk__in=[exercise.pk for exercise in exercises], published__isnull=False)
    rows = stated.values_list(
        "pk", F("published__definition__exercise__difficulty"), F("published__definition__exercise__tags")
    )
    return {pk: _facts(difficulty, tags) for pk, difficulty, tags in rows}


def attempts_until_solved(student: User, *, withheld: Withheld) -> dict[int, int]:
    """How many attempts each exercise took that the student has solved, by id.

    Nothing of exercises in assignments that do not show what was judged.
    """
    here = {"student": student, "exercise": OuterRef("submission__exercise")}
    solved_at = BestScore.objects.filter(**here).values("solved_at")[:1]
    attempts = Attempt.objects.filter(
        submission__student=student, given_back_at=None, submission__created_at__lte=Subquery(solved_at)
    ).exclude(submission__exercise__in=withheld.exercises)
    counted = attempts.order_by().values("submission__exercise").annotate(count=Count("pk"))
    return dict(counted.values_list("submission__exercise", "count"))


def days_active(student: User, *, since: datetime, zone: ZoneInfo) -> set[date]:
    """The days, by the clock of the zone, on which the student handed in or ran something."""
    submissions = Submission.objects.filter(student=student, created_at__gte=since)
    runs = Run.objects.filter(student=student, queued_at__gte=since)
    return set(_days(submissions, "created_at", zone).union(_days(runs, "queued_at", zone)))


def zone_of(courses: Iterable[Any]) -> ZoneInfo:
    """By whose clock a student's days are counted: that of the one of their `visible_courses` they joined last."""
    joined = max(courses, key=_joined, default=None)
    return NO_ZONE if joined is None else ZoneInfo(joined.time_zone)


def _joined(course: Any) -> tuple[datetime, int]:
    return course.joined_at, course.pk


def _days(rows: QuerySet[Submission] | QuerySet[Run], field: str, zone: ZoneInfo) -> Any:
    days = rows.order_by().annotate(day=TruncDate(field, tzinfo=zone))
    return days.values_list("day", flat=True).distinct()


def _facts(difficulty: str | None, tags: list[str] | None) -> ExerciseFacts:
    return ExerciseFacts(difficulty=Difficulty(difficulty or Difficulty.MEDIUM), topics=tuple(tags or ()))
