"""Scores that staff set by hand, in place of what was judged."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from exercises.choices import AuditAction, Role
from exercises.errors import InvalidFieldError
from exercises.models import Assignment, Exercise, Membership, Override, User
from exercises.queries.withheld import withheld_from
from exercises.services.audit import record_action
from exercises.services.locks import lock_student
from exercises.services.notices import tell
from exercises.services.outcomes import follow_best_score
from exercises.services.reasons import checked_reason
from exercises.services.rights import require_instructor


@transaction.atomic
def set_override(
    exercise: Exercise,
    *,
    student: User,
    author: User,
    score: Decimal,
    reason: Any,
    assignment: Assignment | None = None,
) -> Override:
    """Let the student have this score of the exercise, within the assignment or by itself, whatever is judged.

    It is of the points that the exercise has there. It stands until it is withdrawn, or until another is set. The
    student is told.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: the person is no student of the course, the assignment has no such exercise, the score is
            not from 0 to the points, or there is no reason.
    """
    require_instructor(author, exercise.course)
    most = _points_of(exercise, assignment)
    _check(exercise, student, score, most=most)
    said = checked_reason(reason)
    lock_student(student.pk)
    before = _standing(exercise, student, assignment)
    if before is not None:
        _end(before)
    about = {"student": student, "exercise": exercise, "assignment": assignment}
    override = Override.objects.create(**about, score=score, max_score=most, reason=said, by=author)
    _follow(override, AuditAction.OVERRIDE_SET, author, score=_words(override), before=before and _words(before))
    return override


@transaction.atomic
def withdraw_override(override: Override, *, author: User) -> None:
    """Let what was judged count again; the student is told. Withdrawing what is withdrawn changes nothing.

    Raises:
        NotAllowedError: the author is no instructor of the course.
    """
    require_instructor(author, override.exercise.course)
    lock_student(override.student_id)
    override.refresh_from_db()
    if override.withdrawn_at is not None:
        return
    _end(override)
    _follow(override, AuditAction.OVERRIDE_WITHDRAWN, author, score=_words(override))


def _check(exercise: Exercise, student: User, score: Decimal, *, most: Decimal) -> None:
    if not Membership.objects.filter(course=exercise.course, user=student, role=Role.STUDENT).exists():
        raise InvalidFieldError("student", "This person is no student of the course.")
    if not score.is_finite() or not 0 <= score <= most:
        raise InvalidFieldError("score", f"The score must be a number from 0 to {most.normalize():f}.")


def _points_of(exercise: Exercise, assignment: Assignment | None) -> Decimal:
    if assignment is not None:
        item = assignment.items.filter(exercise=exercise, assignment__course=exercise.course_id).first()
        if item is None:
            raise InvalidFieldError("assignment", "This assignment has no such exercise.")
        return item.points
    version = exercise.published or exercise.versions.order_by("number").last()
    if version is None:
        raise InvalidFieldError("exercise", "This exercise was never published.")
    return version.points


def _standing(exercise: Exercise, student: User, assignment: Assignment | None) -> Override | None:
    return Override.objects.filter(exercise=exercise, student=student, assignment=assignment, withdrawn_at=None).first()


def _end(override: Override) -> None:
    override.withdrawn_at = timezone.now()
    override.save(update_fields=["withdrawn_at"])


def _follow(override: Override, action: AuditAction, author: User, **details: Any) -> None:
    """What a change of an override brings with it: the best score, the record, and a word to the student."""
    exercise, assignment = override.exercise, override.assignment
    follow_best_score(override.student_id, exercise)
    place = f"{assignment.slug}/{exercise.slug}" if assignment else exercise.slug
    told = {name: value for name, value in {**details, "reason": override.reason}.items() if value}
    record_action(exercise.course, action, actor=author, target=f"{place}: {override.student}", details=told)
    if assignment is not None and assignment.is_hidden:
        return
    is_shown = assignment is None or assignment.pk not in withheld_from(override.student).assignments
    title = exercise.published.title if exercise.published else exercise.slug
    # What an assignment does not show yet, the inbox does not tell either.
    score = f": {_words(override)}" if is_shown and override.withdrawn_at is None else ""
    verb = "was set by hand" if override.withdrawn_at is None else "is again what was judged"
    url = reverse("learn:exercise", args=(exercise.course.slug, exercise.slug))
    if assignment is not None:
        url = reverse("learn:assignment", args=(exercise.course.slug, assignment.slug))
    tell(override.student_id, f"Your score of “{title}” {verb}{score}.", url=url)


def _words(override: Override) -> str:
    return f"{override.score.normalize():f} of {override.max_score.normalize():f} points"
