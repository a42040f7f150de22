"""What staff see of assignments at one glance: what is open, what students see, what is released."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _

from exercises.choices import Shown
from exercises.learn.marks import Mark
from exercises.learn.moments import Moment, moment_of
from exercises.learn.values import number_text
from exercises.models import Assignment
from exercises.queries import Window
from exercises.queries.windows import make_window

HIDDEN = Mark(word=_("Seen by staff alone"), icon="shield")
LATER = Mark(word=_("Not open yet"), icon="clock")
OPEN = Mark(word=_("Open"), icon="pencil", tone="good")
CLOSED = Mark(word=_("Closed"), icon="stop")


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewRow:
    """A line of the list; `outcomes` and `solutions` say whether students see them by now, and if not, when."""

    assignment: Assignment
    mark: Mark
    exercises: int
    weight: str
    dates: list[tuple[str, Moment]]
    outcomes: str
    solutions: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What waits for staff, in words; `at` is when it was released."""

    what: str
    at: Moment | None


def overview_row(assignment: Assignment) -> OverviewRow:
    """The line of an assignment; its course and items must have been fetched."""
    zone, window, now = ZoneInfo(assignment.course.time_zone), make_window(assignment), timezone.now()
    dates = ((_("opens"), assignment.opens_at), (_("due"), assignment.due_at), (_("closes"), assignment.closes_at))
    return OverviewRow(
        assignment=assignment,
        mark=_mark(assignment, window, now),
        exercises=len(assignment.items.all()),
        weight="" if assignment.weight == 1 else number_text(float(assignment.weight)),
        dates=[(word, moment) for word, at in dates if (moment := moment_of(at, zone))],
        outcomes=_("Outcomes: %(when)s") % {"when": _when(assignment.outcomes_shown, assignment, window, now)},
        solutions=_("Solutions: %(when)s") % {"when": _when(assignment.solutions_shown, assignment, window, now)},
    )


def release_of(assignment: Assignment) -> Release | None:
    """What staff release, if anything of the assignment waits for that."""
    waits = [shown == Shown.RELEASED for shown in (assignment.outcomes_shown, assignment.solutions_shown)]
    if not any(waits):
        return None
    words = {(True, True): _("outcomes and solutions"), (True, False): _("outcomes"), (False, True): _("solutions")}
    zone = ZoneInfo(assignment.course.time_zone)
    return Release(what=words[waits[0], waits[1]], at=moment_of(assignment.released_at, zone))


def _mark(assignment: Assignment, window: Window, now: datetime) -> Mark:
    if assignment.is_hidden:
        return HIDDEN
    if not window.has_opened(now):
        return LATER
    return CLOSED if window.is_closed(now) else OPEN


def _when(shown: str, assignment: Assignment, window: Window, now: datetime) -> str:
    if shown == Shown.RELEASED:
        return _("released") if assignment.released_at else _("not released yet")
    if shown == Shown.CLOSED and window.closes_at is not None:
        return _("shown, as it is closed") if window.is_closed(now) else _("once it is closed")
    return _("never") if shown == Shown.NEVER else _("shown")
