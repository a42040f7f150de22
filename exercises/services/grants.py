"""Time and attempts for several students at once: after an outage, or whatever else befell a section."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from exercises.choices import AuditAction, Role
from exercises.dates import OUT_OF_BOUNDS, is_within_bounds
from exercises.errors import InvalidFieldError
from exercises.models import Assignment, AssignmentStart, Course, Extension, Membership, Notice, User
from exercises.queries.windows import make_window
from exercises.services.audit import record_action
from exercises.services.reasons import checked_reason
from exercises.services.rights import require_instructor

MOST_MINUTES: Final = 60 * 24 * 60
"""Sixty days: longer than that an assignment is given new dates."""
MOST_ATTEMPTS: Final = 1000
ROWS_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What is granted: the dates of an assignment so many minutes later, more attempts, longer clocks.

    `clock_minutes` are for quizzes whose clock runs, or has ended by itself within the last `clock_minutes`: that one
    runs again. `factor` is the extra time for all clocks to come, in place of the one before; None leaves it.
    """

    assignment: Assignment | None = None
    minutes: int = 0
    extra_attempts: int = 0
    clock_minutes: int = 0
    factor: Decimal | None = None

    @property
    def in_words(self) -> str:
        """What it is, for those who get it."""
        parts = []
        if self.minutes:
            parts.append(f"the dates are {_length(self.minutes)} later for you")
        if self.extra_attempts:
            parts.append(f"you have {self.extra_attempts} more attempt{'' if self.extra_attempts == 1 else 's'}")
        if self.clock_minutes:
            parts.append(f"a clock of yours that runs has {_length(self.clock_minutes)} more")
        if self.factor is not None:
            parts.append(f"your clocks are longer by the factor {self.factor.normalize():f}")
        return ", ".join(parts)


@transaction.atomic
def grant_together(
    course: Course, grant: Grant, *, student_ids: Collection[int], who: str, author: User, reason: Any
) -> int:
    """Grant the same to these students of the course, on top of what each has; to how many. All of them are told.

    `who` says in words who they are: one entry in the record of the course is made for all of them.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: nothing is granted or to nobody, a number is out of bounds, or there is no reason.
    """
    require_instructor(author, course)
    said = checked_reason(reason)
    _check(course, grant)
    members = Membership.objects.filter(course=course, role=Role.STUDENT, user__in=student_ids)
    ids = list(members.values_list("user_id", flat=True))
    if not ids:
        raise InvalidFieldError("who", "There is no student among them.")
    if grant.assignment is not None:
        _extend(grant.assignment, grant, ids, author=author, reason=said)
        _lengthen_clocks(grant.assignment, grant, ids)
    if grant.factor is not None:
        members.update(extra_time_factor=grant.factor)
    record_action(course, AuditAction.GRANTED_TOGETHER, actor=author, target=who, details=_details(grant, said, ids))
    _tell(course, grant, ids)
    return len(ids)


def _check(course: Course, grant: Grant) -> None:
    if not any((grant.minutes, grant.extra_attempts, grant.clock_minutes, grant.factor)):
        raise InvalidFieldError("what", "Say what you grant: time, attempts or a factor.")
    if grant.assignment is None and (grant.minutes or grant.extra_attempts or grant.clock_minutes):
        raise InvalidFieldError("assignment", "Choose the assignment that it is for.")
    if grant.assignment is not None and grant.assignment.course_id != course.pk:
        raise InvalidFieldError("assignment", "This assignment is of another course.")
    for name in ("minutes", "clock_minutes"):
        if not 0 <= getattr(grant, name) <= MOST_MINUTES:
            raise InvalidFieldError(name, f"Give 0 to {MOST_MINUTES} minutes.")
    if not 0 <= grant.extra_attempts <= MOST_ATTEMPTS:
        raise InvalidFieldError("extra_attempts", f"Give 0 to {MOST_ATTEMPTS} attempts.")
    if grant.factor is not None and not 1 <= grant.factor <= 10:
        raise InvalidFieldError("factor", "The factor must be a number from 1 to 10.")


def _extend(assignment: Assignment, grant: Grant, ids: Iterable[int], *, author: User, reason: str) -> None:
    if not grant.minutes and not grant.extra_attempts:
        return
    before = {row.student_id: row for row in assignment.extensions.filter(student__in=list(ids))}
    later, now = timedelta(minutes=grant.minutes), timezone.now()
    rows = []
    for pk in ids:
        extension = before.get(pk) or Extension(assignment=assignment, student_id=pk)
        window = make_window(assignment, extension)
        if grant.minutes:
            extension.due_at, extension.closes_at = _later(window.due_at, later), _later(window.closes_at, later)
        extension.extra_attempts = min(extension.extra_attempts + grant.extra_attempts, MOST_ATTEMPTS)
        extension.reason = "\n".join(filter(None, (extension.reason, reason)))
        extension.granted_by, extension.granted_at = author, now
        rows.append(extension)
    Extension.objects.bulk_create(
        rows,
        batch_size=ROWS_AT_ONCE,
        update_conflicts=True,
        unique_fields=["assignment", "student"],
        update_fields=["due_at", "closes_at", "extra_attempts", "reason", "granted_by", "granted_at"],
    )


def _lengthen_clocks(assignment: Assignment, grant: Grant, ids: list[int]) -> None:
    """Let clocks end later that run, or ended by themselves a short while ago; no clock runs past its closing date."""
    if not grant.clock_minutes:
        return
    more, now = timedelta(minutes=grant.clock_minutes), timezone.now()
    starts = assignment.starts.filter(student__in=ids, ends_at__gt=now - more).select_for_update(no_key=True)
    extensions = {row.student_id: row for row in assignment.extensions.filter(student__in=ids)}
    changed = []
    for start in starts:
        assert start.ends_at is not None
        if start.handed_in_at is not None and start.handed_in_at < start.ends_at:
            # They ended it themselves.
            continue
        closes_at = make_window(assignment, extensions.get(start.student_id)).closes_at
        ends_at = min(filter(None, (start.ends_at + more, closes_at)))
        if ends_at > start.ends_at:
            start.ends_at, start.handed_in_at = ends_at, None
            changed.append(start)
    AssignmentStart.objects.bulk_update(changed, ["ends_at", "handed_in_at"], batch_size=ROWS_AT_ONCE)


def _tell(course: Course, grant: Grant, ids: Iterable[int]) -> None:
    assignment = grant.assignment
    if assignment is not None and assignment.is_hidden:
        return
    title, url = course.title, reverse("learn:course", args=(course.slug,))
    if assignment is not None:
        title, url = assignment.title, reverse("learn:assignment", args=(course.slug, assignment.slug))
    text = f"“{title}”: {grant.in_words}."
    Notice.objects.bulk_create((Notice(user_id=pk, text=text, url=url) for pk in ids), batch_size=ROWS_AT_ONCE)


def _details(grant: Grant, reason: str, ids: Collection[int]) -> dict[str, Any]:
    granted = {
        "assignment": grant.assignment.slug if grant.assignment else "",
        "minutes": grant.minutes,
        "extra_attempts": grant.extra_attempts,
        "clock_minutes": grant.clock_minutes,
        "factor": "" if grant.factor is None else str(grant.factor),
        "reason": reason,
    }
    return {"students": len(ids), **{name: value for name, value in granted.items() if value}}


def _later(at: datetime | None, by: timedelta) -> datetime | None:
    later = None if at is None else at + by
    if later is not None and not is_within_bounds(later):
        raise InvalidFieldError("minutes", str(OUT_OF_BOUNDS))
    return later


def _length(minutes: int) -> str:
    days, rest = divmod(minutes, 24 * 60)
    hours, left = divmod(rest, 60)
    units = ((days, "day"), (hours, "hour"), (left, "minute"))
    return " ".join(f"{number} {unit}{'' if number == 1 else 's'}" for number, unit in units if number)
