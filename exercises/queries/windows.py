"""When a student may hand in to an assignment: its dates, with what is particular to that student."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.db.models import FilteredRelation, Q, QuerySet

from exercises.dates import LATEST
from exercises.models import Assignment, AssignmentStart, Extension, User

HUNDRED = Decimal(100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The dates of an assignment for one student. All are moments; `zone` says whose days being late is counted in.

    It is open from `opens_at` on until just before `ends_at`: the closing date, the end of the student's clock, or
    their own ending of it, whichever comes first. What arrives at `deadline` (due and grace) is not late yet.
    """

    zone: ZoneInfo
    opens_at: datetime | None = None
    due_at: datetime | None = None
    closes_at: datetime | None = None
    grace: timedelta = timedelta(0)
    late_percent: int | None = None
    needs_start: bool = False
    started_at: datetime | None = None
    clock_ends_at: datetime | None = None
    handed_in_at: datetime | None = None

    @property
    def deadline(self) -> datetime | None:
        """The last moment that is not late."""
        # A date from before there were bounds may lie at the end of the calendar, where nothing can be added.
        return min(self.due_at, LATEST) + self.grace if self.due_at else None

    @property
    def ends_at(self) -> datetime | None:
        """From when on nothing is taken that counts; None where that never comes."""
        return min((at for at in (self.closes_at, self.clock_ends_at, self.handed_in_at) if at), default=None)

    def has_opened(self, at: datetime) -> bool:
        """Whether the opening date is behind."""
        return self.opens_at is None or self.opens_at <= at

    def is_over(self, at: datetime) -> bool:
        """Whether nothing is taken any more that counts."""
        return self.ends_at is not None and self.ends_at <= at

    def is_closed(self, at: datetime) -> bool:
        """Whether the closing date is behind: an own clock that has ended does not close the assignment."""
        return self.closes_at is not None and self.closes_at <= at

    def awaits_start(self, at: datetime) -> bool:
        """Whether the student has to start a quiz before anything else."""
        return self.needs_start and self.started_at is None and not self.is_closed(at)

    def takes(self, at: datetime) -> bool:
        """Whether what arrives at this moment counts."""
        return self.has_opened(at) and not self.awaits_start(at) and not self.is_over(at)

    def days_late(self, at: datetime) -> int:
        """How many days after the deadline have begun. A day ends when the course's clock shows the same time again.

        So one of them has 23 or 25 hours where clocks change. What a clock hands in at its end counts as of its end.
        """
        arrived = min(moment for moment in (at, self.clock_ends_at) if moment)
        if self.deadline is None or arrived <= self.deadline:
            return 0
        wall = self.deadline.astimezone(self.zone)
        days = max((arrived - self.deadline).days - 1, 0)
        while (wall + timedelta(days=days)).astimezone(UTC) < arrived:
            days += 1
        return days

    def share_kept(self, at: datetime) -> Decimal:
        """The part of its points, 0 to 1, that is left to what arrives at this moment."""
        if not self.late_percent:
            return Decimal(1)
        return max(1 - Decimal(self.late_percent) * self.days_late(at) / HUNDRED, Decimal(0))


def window_of(assignment: Assignment, student: User) -> Window:
    """The student's dates. An extension sets the dates that it has anew, and lets nothing close before it is due."""
    return windows_of([assignment], student)[assignment.pk]


def windows_of(assignments: Iterable[Assignment], student: User) -> dict[int, Window]:
    """The student's dates for each of the assignments, by id, in one query; `course` must have been fetched."""
    found = list(assignments)
    if not found:
        return {}
    own = with_own_dates(Assignment.objects.filter(pk__in=[row.pk for row in found]), student)
    dates = {row.pk: (own_extension(row), own_start(row)) for row in own}
    return {row.pk: make_window(row, *dates.get(row.pk, (None, None))) for row in found}


def with_own_dates(assignments: QuerySet[Assignment], student: User) -> QuerySet[Assignment]:
    """The same with what is particular to the student, which `own_window` reads without a query."""
    joined = assignments.annotate(
        joined_extension=FilteredRelation("extensions", condition=Q(extensions__student=student)),
        joined_start=FilteredRelation("starts", condition=Q(starts__student=student)),
    )
    # django-stubs knows no filtered relations.
    return joined.select_related("course", "joined_extension", "joined_start")  # type: ignore[misc]


def own_window(assignment: Assignment) -> Window:
    """The student's dates of an assignment that was fetched by `with_own_dates`."""
    return make_window(assignment, own_extension(assignment), own_start(assignment))


def own_extension(assignment: Assignment) -> Extension | None:
    """What was granted to the student, of an assignment that was fetched by `with_own_dates`."""
    # Django leaves the name out where nothing was joined.
    found: Extension | None = getattr(assignment, "joined_extension", None)
    return found


def own_start(assignment: Assignment) -> AssignmentStart | None:
    """The student's beginning, of an assignment that was fetched by `with_own_dates`."""
    found: AssignmentStart | None = getattr(assignment, "joined_start", None)
    return found


def make_window(
    assignment: Assignment, extension: Extension | None = None, start: AssignmentStart | None = None
) -> Window:
    """The dates of the assignment, as the rows of one student change them."""
    due_at, closes_at = assignment.due_at, assignment.closes_at
    if extension is not None:
        due_at, closes_at = extension.due_at or due_at, extension.closes_at or closes_at
        if closes_at and due_at and closes_at < due_at:
            closes_at = due_at
    return Window(
        zone=ZoneInfo(assignment.course.time_zone),
        opens_at=assignment.opens_at,
        due_at=due_at,
        closes_at=closes_at,
        grace=timedelta(minutes=assignment.grace_minutes),
        late_percent=assignment.late_percent_per_day,
        needs_start=assignment.is_quiz,
        started_at=start.started_at if start else None,
        clock_ends_at=start.ends_at if start else None,
        handed_in_at=start.handed_in_at if start else None,
    )
