"""A class as a table: students × exercises, a page of it at a time or all of it row by row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, F, FloatField, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Cast, NullIf

from exercises.choices import Reason, Role
from exercises.models import BestScore, Course, Exercise, Grading, Membership, User
from exercises.queries.courses import shown_exercises
from graders.outcomes import Verdict

HUNDREDTH = Decimal("0.01")
ROWS_AT_ONCE = 100
BY_NAME = ("user__last_name", "user__first_name", "user__username")
STUCK_AFTER = 3
"""So many hand-ins were judged, and none accepted: then a student is stuck at an exercise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """One student's best scores, in the order of the matrix's exercises; None where nothing was judged.

    `points` are scaled to those of the exercises.
    """

    student: User
    section: str
    best: tuple[BestScore | None, ...]
    points: Decimal

    @property
    def solved(self) -> int:
        """How many exercises the student has solved."""
        return sum(score is not None and score.solved_at is not None for score in self.best)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """Which students of a class, in which order.

    `sort` is `name`, `section`, `points`, `solved` or the slug of an exercise; with `-` before it the largest is first.
    `section` None means every section; `is_stuck` leaves only who is stuck at something.
    """

    sort: str = "name"
    section: str | None = None
    is_stuck: bool = False


def class_exercises(course: Course) -> list[Exercise]:
    """The columns of the matrix."""
    return list(shown_exercises().filter(course=course))


def class_members(course: Course, picked: Picked, exercises: Sequence[Exercise]) -> QuerySet[Membership]:
    """The rows of the matrix as memberships; with names as the last order, so that pages never overlap."""
    members: QuerySet[Any] = Membership.objects.filter(course=course, role=Role.STUDENT).select_related("user")
    if picked.section is not None:
        members = members.filter(section=picked.section)
    if picked.is_stuck:
        members = members.filter(Exists(stuck_at(course).filter(student=OuterRef("user"))))
    is_falling, key = picked.sort.startswith("-"), picked.sort.removeprefix("-")
    if key == "name":
        names = [F(name).desc() if is_falling else F(name).asc() for name in BY_NAME]
        return members.order_by(*names, "pk")
    members = members.annotate(place=_place(key, course, exercises))
    place = F("place").desc(nulls_last=True) if is_falling else F("place").asc(nulls_first=True)
    return members.order_by(place, *BY_NAME, "pk")


def sections_of(course: Course) -> list[str]:
    """The names of the sections that students are in."""
    students = Membership.objects.filter(course=course, role=Role.STUDENT).exclude(section="")
    return sorted(students.order_by().values_list("section", flat=True).distinct(), key=_by_number)


def stuck_at(course: Course) -> QuerySet[BestScore]:
    """Best scores of shown exercises after several hand-ins without success."""
    shown = BestScore.objects.filter(
        exercise__course=course, exercise__is_retired=False, exercise__published__isnull=False
    )
    return shown.filter(solved_at=None, submissions__gte=STUCK_AFTER)


def matrix_rows(members: Sequence[Membership], exercises: Sequence[Exercise]) -> list[MatrixRow]:
    """A row for each of these members. One query."""
    students = [member.user_id for member in members]
    scores = BestScore.objects.filter(student__in=students, exercise__in=[exercise.pk for exercise in exercises])
    best = {(score.student_id, score.exercise_id): score for score in scores}
    return [_row(member, exercises, best) for member in members]


def all_rows(course: Course, picked: Picked, exercises: Sequence[Exercise]) -> Iterator[MatrixRow]:
    """Every row that was picked, so many at once: memory does not grow with the class."""
    members = class_members(course, picked, exercises)
    ids = list(members.values_list("pk", flat=True))
    for begin in range(0, len(ids), ROWS_AT_ONCE):
        here = ids[begin : begin + ROWS_AT_ONCE]
        found = Membership.objects.select_related("user").in_bulk(here)
        # Who left meanwhile has no row.
        yield from matrix_rows([found[pk] for pk in here if pk in found], exercises)


def internal_errors(course: Course) -> QuerySet[Grading]:
    """What we failed to judge, the newest first; `fault` says why."""
    gradings = Grading.objects.filter(submission__exercise__course=course, verdict=Verdict.INTERNAL_ERROR)
    gradings = gradings.exclude(reason=Reason.DRY_RUN)
    shown = gradings.select_related("student", "submission__exercise").defer("feedback", "submission__source")
    return shown.order_by("-pk")


def _place(key: str, course: Course, exercises: Sequence[Exercise]) -> Any:
    """What rows are ordered by, for each membership."""
    if key == "section":
        return F("section")
    mine = BestScore.objects.filter(student=OuterRef("user"), exercise__course=course).order_by()
    part = Cast("score", FloatField()) / NullIf(Cast("max_score", FloatField()), 0.0)
    if key not in ("points", "solved"):
        return Subquery(mine.filter(exercise__slug=key).values(part=part)[:1])
    mine = mine.filter(exercise__in=[exercise.pk for exercise in exercises])
    total = Count("solved_at") if key == "solved" else Sum(part * Cast("exercise__published__points", FloatField()))
    return Subquery(mine.values("student").annotate(total=total).values("total"))


def _row(member: Membership, exercises: Sequence[Exercise], best: dict[tuple[int, int], BestScore]) -> MatrixRow:
    scores = tuple(best.get((member.user_id, exercise.pk)) for exercise in exercises)
    points = sum((_points(*pair) for pair in zip(exercises, scores, strict=True)), Decimal(0))
    return MatrixRow(student=member.user, section=member.section, best=scores, points=points.quantize(HUNDREDTH))


def _points(exercise: Exercise, score: BestScore | None) -> Decimal:
    if score is None or exercise.published is None:
        return Decimal(0)
    return score.share * exercise.published.points


def _by_number(name: str) -> list[tuple[int, str]]:
    """So that Group 10 comes after Group 9."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
