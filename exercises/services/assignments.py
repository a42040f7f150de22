"""What instructors do with assignments: made, changed, extended for one student."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse

from exercises.choices import AuditAction, Role, Shown
from exercises.content.fields import slug_problem
from exercises.dates import OUT_OF_BOUNDS, is_within_bounds
from exercises.errors import InvalidFieldError
from exercises.models import Assignment, AssignmentStart, Course, Exercise, Extension, Membership, Submission, User
from exercises.queries.windows import make_window
from exercises.services.audit import record_action
from exercises.services.clocks import lengthen_clock
from exercises.services.notices import tell
from exercises.services.rights import require_instructor

LONGEST_REASON = 2000


class AssignmentSettings(TypedDict, total=False):
    """What an instructor may set of an assignment, as in `Assignment`."""

    title: str
    is_hidden: bool
    opens_at: datetime | None
    due_at: datetime | None
    closes_at: datetime | None
    grace_minutes: int
    late_percent_per_day: int | None
    max_attempts: int | None
    is_quiz: bool
    minutes: int | None
    one_question_a_page: bool
    is_shuffled: bool
    counted: str
    weight: Decimal
    outcomes_shown: str
    solutions_shown: str


class OwnTerms(TypedDict, total=False):
    """What a student may be granted of an assignment, as in `Extension`."""

    due_at: datetime | None
    closes_at: datetime | None
    extra_attempts: int
    reason: str


@transaction.atomic
def create_assignment(
    course: Course, *, author: User, slug: str, points: Mapping[int, Decimal], **settings: Unpack[AssignmentSettings]
) -> Assignment:
    """A new assignment of the exercises that `points` names by id, behind the others.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: a field has the wrong form, or the slug is taken.
    """
    require_instructor(author, course)
    if message := slug_problem(slug):
        raise InvalidFieldError("slug", f"The address of an assignment: {message}.")
    if course.assignments.filter(slug=slug).exists():
        raise InvalidFieldError("slug", f"There is an assignment called {slug} already.")
    assignment = _checked(Assignment(course=course, slug=slug, position=course.assignments.count(), **settings))
    assignment.save()
    _set_points(assignment, points)
    record_action(course, AuditAction.ASSIGNMENT_CREATED, actor=author, target=slug)
    return assignment


@transaction.atomic
def change_assignment(
    assignment: Assignment, *, author: User, points: Mapping[int, Decimal], **settings: Unpack[AssignmentSettings]
) -> Assignment:
    """Set the exercises with their points, and what else is given. Clocks that run are not moved.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: a field has the wrong form, or takes away what students have begun.
    """
    require_instructor(author, assignment.course)
    # What others have set since it was read, such as a release, stands.
    Assignment.objects.select_for_update(no_key=True).get(pk=assignment.pk)
    assignment.refresh_from_db()
    before = {name: getattr(assignment, name) for name in settings}
    for name, value in settings.items():
        setattr(assignment, name, value)
    changed: dict[str, Any] = {
        name: [_plain(before[name]), _plain(value)] for name, value in settings.items() if before[name] != value
    }
    if "is_quiz" in changed and assignment.starts.exists():
        raise InvalidFieldError("is_quiz", "Students have started already: it stays what it is.")
    _checked(assignment).save(update_fields=list(settings))
    if worth := _set_points(assignment, points):
        changed["points"] = worth
    if changed:
        record_action(
            assignment.course, AuditAction.ASSIGNMENT_CHANGED, actor=author, target=assignment.slug, details=changed
        )
    return assignment


@transaction.atomic
def grant_extension(
    assignment: Assignment,
    *,
    student: User,
    author: User,
    **given: Unpack[OwnTerms],
) -> Extension:
    """Set a student's own dates and attempts, in place of what was granted before; they are told.

    Where it would be due after it closes it closes then. A clock that runs gets as much longer as the dates let it.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: the person is no student of the course, or the dates do not fit.
    """
    require_instructor(author, assignment.course)
    _check_student(assignment.course, student)
    granted = _granted(assignment, **given)
    extension, _is_new = Extension.objects.update_or_create(
        assignment=assignment, student=student, defaults={**granted, "granted_by": author}
    )
    for start in AssignmentStart.objects.filter(assignment=assignment, student=student):
        lengthen_clock(start, make_window(assignment, extension))
    target = f"{assignment.slug}: {student}"
    details = {name: _plain(value) for name, value in granted.items() if value}
    record_action(assignment.course, AuditAction.EXTENSION_GRANTED, actor=author, target=target, details=details)
    if not assignment.is_hidden:
        url = reverse("learn:assignment", args=(assignment.course.slug, assignment.slug))
        tell(student.pk, f"“{assignment.title}”: you have dates or attempts of your own now.", url=url)
    return extension


def _granted(assignment: Assignment, **given: Unpack[OwnTerms]) -> OwnTerms:
    """All of the terms, with what is not given as nothing. Raises: InvalidFieldError where they do not fit."""
    reason, due_at, closes_at = given.get("reason", ""), given.get("due_at"), given.get("closes_at")
    if len(reason) > LONGEST_REASON:
        raise InvalidFieldError("reason", f"The reason must be at most {LONGEST_REASON} characters.")
    _check_dates(due_at=due_at, closes_at=closes_at)
    if due_at and closes_at and closes_at < due_at:
        raise InvalidFieldError("closes_at", "It cannot close before it is due.")
    standing = closes_at or assignment.closes_at
    if due_at and standing and standing < due_at:
        closes_at = due_at
    attempts = given.get("extra_attempts", 0)
    return OwnTerms(due_at=due_at, closes_at=closes_at, extra_attempts=attempts, reason=reason)


@transaction.atomic
def set_extra_time(course: Course, *, student: User, author: User, factor: Decimal) -> Membership:
    """Make every clock of the student in the course longer by the factor; those that run get longer at once.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: the person is no student of the course, or the factor is not 1 to 10.
    """
    require_instructor(author, course)
    membership = _check_student(course, student)
    if not 1 <= factor <= 10:
        raise InvalidFieldError("factor", "The factor must be a number from 1 to 10.")
    before, membership.extra_time_factor = membership.extra_time_factor, factor
    if before != factor:
        membership.save(update_fields=["extra_time_factor"])
        details = {"factor": [str(before), str(factor)]}
        record_action(course, AuditAction.EXTRA_TIME_SET, actor=author, target=str(student), details=details)
    for start in AssignmentStart.objects.filter(assignment__course=course, student=student):
        extension = Extension.objects.filter(assignment=start.assignment, student=student).first()
        lengthen_clock(start, make_window(start.assignment, extension))
    return membership


def _checked(assignment: Assignment) -> Assignment:
    assignment.title = assignment.title.strip()
    _check_dates(opens_at=assignment.opens_at, due_at=assignment.due_at, closes_at=assignment.closes_at)
    dates = [assignment.opens_at, assignment.due_at, assignment.closes_at]
    given = [at for at in dates if at is not None]
    if given != sorted(given):
        raise InvalidFieldError("due_at", "The dates must come in this order: opens, due, closes.")
    if assignment.outcomes_shown == Shown.CLOSED and assignment.closes_at is None:
        raise InvalidFieldError("outcomes_shown", "What never closes would never show outcomes: give a closing date.")
    if assignment.minutes is not None and not assignment.is_quiz:
        raise InvalidFieldError("minutes", "Only a quiz has a clock.")
    if assignment.minutes == 0:
        raise InvalidFieldError("minutes", "A clock runs for at least one minute.")
    try:
        assignment.clean_fields(exclude=["course", "slug"])
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        raise InvalidFieldError(field, messages[0]) from error
    return assignment


def _check_dates(**dates: datetime | None) -> None:
    for field, at in dates.items():
        if at is not None and not is_within_bounds(at):
            raise InvalidFieldError(field, str(OUT_OF_BOUNDS))


def _set_points(assignment: Assignment, points: Mapping[int, Decimal]) -> list[str] | None:
    """Make the exercises of the assignment those that are named; what it was and is, if that is something else."""
    before = {item.exercise_id: item for item in assignment.items.select_related("exercise")}
    ordered = list(Exercise.objects.filter(course=assignment.course, pk__in=points))
    if not ordered or len(ordered) != len(points):
        raise InvalidFieldError("points", "Give points to at least one exercise of this course.")
    gone = [item for pk, item in before.items() if pk not in points]
    if Submission.objects.filter(assignment=assignment, exercise__in=[item.exercise_id for item in gone]).exists():
        raise InvalidFieldError("points", "An exercise to which students have handed in must stay.")
    assignment.items.filter(pk__in=[item.pk for item in gone]).delete()
    for position, exercise in enumerate(ordered):
        worth = {"position": position, "points": points[exercise.pk]}
        assignment.items.update_or_create(exercise=exercise, defaults=worth)
    was = ", ".join(f"{item.exercise.slug} {item.points.normalize():f}" for item in before.values())
    now = ", ".join(f"{exercise.slug} {points[exercise.pk].normalize():f}" for exercise in ordered)
    return None if was == now else [was, now]


def _check_student(course: Course, student: User) -> Membership:
    membership = Membership.objects.filter(course=course, user=student, role=Role.STUDENT).first()
    if membership is None:
        raise InvalidFieldError("student", "This person is no student of the course.")
    return membership


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return value.isoformat() if isinstance(value, datetime) else value
