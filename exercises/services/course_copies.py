"""A course once more, for the next term: what was written, and no people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Model

from exercises.choices import AuditAction, Role
from exercises.content.fields import slug_problem
from exercises.dates import OUT_OF_BOUNDS, is_within_bounds
from exercises.errors import InvalidFieldError
from exercises.models import Assignment, Course, Exercise, User
from exercises.queries.working_copies import head_of
from exercises.services.audit import record_action
from exercises.services.members import enrol
from exercises.services.rights import require_course_maker, require_instructor
from exercises.services.versions import put_in_place

DATES = ("opens_at", "due_at", "closes_at")
LONGEST_TITLE = 200

_M = TypeVar("_M", bound=Model)


@transaction.atomic
def copy_course(course: Course, *, author: User, slug: str, title: str, starts_on: date | None = None) -> Course:
    """A new course with what is not put away of this one; its copier is its only member, as instructor.

    Copied are settings, lessons, files, exercises with their published version, working copy and proofs, and
    assignments. Their dates are moved by as many days as lie between the first of them and `starts_on`, on the clock of
    the course; without it they have none. Not copied are people, links, what was handed in, releases and schedules.

    Raises:
        NotAllowedError: the author is no instructor of the course, or may not make courses.
        InvalidFieldError: the slug or the title is none, the slug is taken, or a date would lie further off than dates
            go.
    """
    require_instructor(author, course)
    require_course_maker(author)
    _check(slug, title)
    copy = _copied(course, slug=slug, title=title.strip())
    enrol(author, copy, role=Role.INSTRUCTOR)
    exercises = {row.pk: _copy_exercise(row, copy, author) for row in course.exercises.filter(is_retired=False)}
    _copy_lessons(course, copy, exercises)
    for asset in course.assets.all():
        _copied(asset, course=copy)
    days = _copy_assignments(course, copy, exercises, starts_on)
    details = {"of": course.slug, "exercises": len(exercises), "days": days}
    record_action(copy, AuditAction.COURSE_COPIED, actor=author, target=slug, details=details)
    return copy


def first_date(course: Course) -> date | None:
    """The day of the first date that an assignment has, by the clock of the course; None where there is none."""
    zone = ZoneInfo(course.time_zone)
    found = [at for row in course.assignments.values_list(*DATES) for at in row if at is not None]
    return min(found).astimezone(zone).date() if found else None


def _check(slug: str, title: str) -> None:
    if message := slug_problem(slug):
        raise InvalidFieldError("slug", f"The address of a course: {message}.")
    if Course.objects.filter(slug=slug).exists():
        raise InvalidFieldError("slug", f"There is a course called {slug} already.")
    if not title.strip() or len(title) > LONGEST_TITLE:
        raise InvalidFieldError("title", f"The title must be 1 to {LONGEST_TITLE} characters.")


def _copy_exercise(exercise: Exercise, copy: Course, author: User) -> Exercise:
    unpublished = {"published": None, "scheduled_version": None, "scheduled_at": None}
    made = _copied(exercise, course=copy, **unpublished)
    head, hashes = head_of(exercise), set()
    if head is not None:
        _copied(head, exercise=made, number=1, based_on=0, saved_by=author)
        hashes.add(head.grading_hash)
    if exercise.published is not None:
        hashes.add(exercise.published.grading_hash)
    for certificate in exercise.certificates.filter(grading_hash__in=hashes):
        _copied(certificate, exercise=made)
    if exercise.published is not None:
        put_in_place(made, _copied(exercise.published, exercise=made, number=1, created_by=author))
    return made


def _copy_lessons(course: Course, copy: Course, exercises: Mapping[int, Exercise]) -> None:
    for lesson in course.lessons.filter(is_retired=False):
        made = _copied(lesson, course=copy)
        for embedding in lesson.embedded.filter(exercise__in=exercises):
            _copied(embedding, lesson=made, exercise=exercises[embedding.exercise_id])


def _copy_assignments(
    course: Course, copy: Course, exercises: Mapping[int, Exercise], starts_on: date | None
) -> int | None:
    """By how many days the dates were moved; None where they were left out."""
    first, zone = first_date(course), ZoneInfo(course.time_zone)
    days = (starts_on - first).days if starts_on and first else None
    for assignment in course.assignments.all():
        items = list(assignment.items.filter(exercise__in=exercises))
        if not items:
            continue
        made = _copied(assignment, course=copy, released_at=None, **_moved(assignment, days, zone))
        for item in items:
            _copied(item, assignment=made, exercise=exercises[item.exercise_id])
    return days


def _moved(assignment: Assignment, days: int | None, zone: ZoneInfo) -> dict[str, datetime | None]:
    moved: dict[str, datetime | None] = dict.fromkeys(DATES)
    for name in DATES:
        at = getattr(assignment, name)
        if at is not None and days is not None:
            # By the clock on the wall: what is due at midnight stays so where clocks change in between.
            moved[name] = _moved_by(at.astimezone(zone), timedelta(days=days))
    return moved


def _moved_by(at: datetime, by: timedelta) -> datetime:
    try:
        moved = (at + by).astimezone(UTC)
    except OverflowError:
        raise InvalidFieldError("starts_on", str(OUT_OF_BOUNDS)) from None
    if not is_within_bounds(moved):
        raise InvalidFieldError("starts_on", str(OUT_OF_BOUNDS))
    return moved


def _copied(row: _M, **changes: Any) -> _M:
    """A new row with the same values but these. Relations to it are not copied."""
    fields = {field.name: field for field in row._meta.concrete_fields if not field.primary_key}
    values = {name: getattr(row, field.attname) for name, field in fields.items() if name not in changes}
    named = {fields[name].attname: value for name, value in values.items()}
    made = type(row)(**named, **changes)
    made.save()
    return made
