"""The class as it stands now, ready for a page: who is at work, what is due, who may need someone, what is hard."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from exercises import live
from exercises.choices import Shown
from exercises.learn.marks import Mark, work_mark
from exercises.learn.moments import Moment, moment_of
from exercises.models import Assignment, Course, Grading, Submission
from exercises.queries.classes import internal_errors
from exercises.queries.overview import (
    Activity,
    AtRisk,
    HardExercise,
    Waiting,
    activity_of,
    assignments_with_hand_ins,
    hardest_now,
    latest_hand_ins,
    students_at_risk,
    students_at_work,
    waiting_in,
)
from exercises.queries.windows import make_window

RISKS = 12
HARDEST = 5
LATEST = 6
FAULTS = 10
AFTERWARDS = 3600 * 24 * 30
"""An assignment that closed longer ago, in seconds, is folded away."""
SHOWN_NOW = {
    Shown.AT_ONCE: gettext_lazy("at once"),
    Shown.CLOSED: gettext_lazy("once closed"),
    Shown.RELEASED: gettext_lazy("once released"),
    Shown.NEVER: gettext_lazy("never"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentLine:
    """One assignment: whether students see it, where it stands, and what of it they see."""

    title: str
    slug: str
    url: str
    is_hidden: bool
    mark: Mark
    when: Moment | None
    word: str
    handed_in: int
    outcomes: str | Promise
    solutions: str | Promise
    is_past: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskLine:
    name: str
    url: str
    section: str
    reasons: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HardLine:
    """`solved` and `stuck` are of the `students` who tried."""

    title: str
    url: str
    students: int
    solved: int
    stuck: int
    facility: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestLine:
    student: str
    title: str
    url: str
    mark: Mark
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The panel. `is_empty` where nobody has joined; `more_risks` are those that are not listed."""

    url: str
    events_url: str
    activity: Activity
    waiting: Waiting
    assignments: list[AssignmentLine]
    risks: list[RiskLine]
    more_risks: int
    hardest: list[HardLine]
    latest: list[LatestLine]
    faults: list[Grading]

    @property
    def is_empty(self) -> bool:
        return not self.activity.students

    @property
    def current(self) -> list[AssignmentLine]:
        return [line for line in self.assignments if not line.is_past]

    @property
    def past(self) -> list[AssignmentLine]:
        return [line for line in self.assignments if line.is_past]


def overview_of(course: Course) -> Overview:
    """Everything of it; nine queries, whatever the size of the class."""
    now = timezone.now()
    members = students_at_work(course)
    risks = students_at_risk(course, members, at=now)
    return Overview(
        url=reverse("teach:class-panel", args=(course.slug,)),
        events_url=live.events_url(course.topic),
        activity=activity_of(members, at=now),
        waiting=waiting_in(course),
        assignments=_assignment_lines(course, now),
        risks=[_risk_line(course, risk, now) for risk in risks[:RISKS]],
        more_risks=max(len(risks) - RISKS, 0),
        hardest=[_hard_line(course, item) for item in hardest_now(course, at=now, most=HARDEST)],
        latest=[_latest_line(row) for row in latest_hand_ins(course, members, most=LATEST)],
        faults=list(internal_errors(course)[:FAULTS]),
    )


def _assignment_lines(course: Course, now: datetime) -> list[AssignmentLine]:
    zone = ZoneInfo(course.time_zone)
    lines = []
    for assignment in assignments_with_hand_ins(course):
        assignment.course = course
        mark, word, at = _standing(assignment, now)
        closed = assignment.closes_at
        lines.append(
            AssignmentLine(
                title=assignment.title,
                slug=assignment.slug,
                url=reverse("teach:assignment", args=(course.slug, assignment.slug)),
                is_hidden=assignment.is_hidden,
                mark=mark,
                word=word,
                when=moment_of(at, zone),
                handed_in=getattr(assignment, "handed_in", 0),
                outcomes=_shown(assignment, assignment.outcomes_shown, now),
                solutions=_shown(assignment, assignment.solutions_shown, now),
                is_past=closed is not None and (now - closed).total_seconds() > AFTERWARDS,
            )
        )
    return lines


def _standing(assignment: Assignment, now: datetime) -> tuple[Mark, str, datetime | None]:
    """Where it stands, and the next date that matters."""
    window = make_window(assignment)
    if not window.has_opened(now):
        return Mark(word=_("Not open yet"), icon="ring"), _("opens"), window.opens_at
    if window.is_closed(now):
        return Mark(word=_("Closed"), icon="stop"), _("closed"), window.closes_at
    if window.due_at and window.due_at > now:
        return Mark(word=_("Open"), icon="clock", tone="good"), _("due"), window.due_at
    if window.due_at:
        return Mark(word=_("Open, late"), icon="clock", tone="warn"), _("was due"), window.due_at
    return Mark(word=_("Open"), icon="clock", tone="good"), _("closes") if window.closes_at else "", window.closes_at


def _shown(assignment: Assignment, when: str, now: datetime) -> str | Promise:
    """Whether students see it now, or when they will."""
    is_closed = assignment.closes_at is not None and assignment.closes_at <= now
    is_released = assignment.released_at is not None and assignment.released_at <= now
    if when == Shown.AT_ONCE or (when == Shown.CLOSED and is_closed) or (when == Shown.RELEASED and is_released):
        return _("shown")
    return SHOWN_NOW[Shown(when)]


def _risk_line(course: Course, risk: AtRisk, now: datetime) -> RiskLine:
    return RiskLine(
        name=str(risk.member.user),
        url=reverse("teach:student", args=(course.slug, risk.member.user_id)),
        section=risk.member.section,
        reasons=_reasons(risk, now),
    )


def _reasons(risk: AtRisk, now: datetime) -> list[str]:
    reasons = []
    if risk.is_silent and risk.last_at is None:
        reasons.append(_("never handed in"))
    elif risk.is_silent and risk.last_at is not None:
        days = (now - risk.last_at).days
        reasons.append(ngettext("silent for %(days)d day", "silent for %(days)d days", days) % {"days": days})
    if risk.missed:
        words = ngettext("missed %(count)d assignment", "missed %(count)d assignments", risk.missed)
        reasons.append(words % {"count": risk.missed})
    if risk.stuck:
        words = ngettext("stuck at %(count)d exercise", "stuck at %(count)d exercises", risk.stuck)
        reasons.append(words % {"count": risk.stuck})
    return reasons


def _hard_line(course: Course, item: HardExercise) -> HardLine:
    version = item.exercise.published
    assert version is not None
    return HardLine(
        title=version.title,
        url=reverse("teach:exercise-analysis", args=(course.slug, item.exercise.slug)),
        students=item.students,
        solved=item.solved,
        stuck=item.stuck,
        facility=f"{item.facility * 100:.0f} %",
    )


def _latest_line(row: Submission) -> LatestLine:
    grading = row.grading
    return LatestLine(
        student=str(row.student),
        title=row.version.title,
        url=reverse("learn:submission", args=(row.pk,)),
        mark=work_mark(state=grading.state, verdict=grading.verdict),
        at=row.created_at,
    )
