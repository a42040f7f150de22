"""What pages show of assignments, computed for one student."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.choices import Counted, RefusalReason, Shown
from exercises.learn.assignment_items import ItemRow, attempts_word, items_shown
from exercises.learn.assignment_questions import AssignmentQuestion, assignment_questions
from exercises.learn.assignment_steps import Steps, steps_of
from exercises.learn.marks import NOT_STARTED, Mark
from exercises.learn.moments import Moment, moment_of
from exercises.learn.values import number_text
from exercises.models import Assignment, Course, User
from exercises.queries import (
    Encounter,
    Terms,
    Window,
    assignment_score,
    assignments_of,
    attempts_left,
    due_assignments,
    terms_of,
)
from exercises.queries.windows import own_window
from exercises.queries.withheld import Dated

OPEN = Mark(word=_("Open"), icon="pencil")
LATER = Mark(word=_("Not open yet"), icon="clock")
TO_START = Mark(word=_("Not started"), icon="ring")
LATE = Mark(word=_("Late"), icon="warn", tone="warn")
HANDED_IN = Mark(word=_("Handed in"), icon="check")
CLOSED = Mark(word=_("Closed"), icon="stop")


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentRow:
    """A line of a list; `when` is the moment that matters most just now, and `word` says what happens then."""

    title: str
    course: str
    url: str
    mark: Mark
    word: str
    when: Moment | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The student's own clock, while it runs."""

    ends: Moment
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentPage:
    title: str
    slug: str
    mark: Mark
    is_quiz: bool
    dates: list[tuple[str, Moment]]
    rules: list[str]
    clock: Clock | None
    rows: list[ItemRow]
    forms: list[AssignmentQuestion]
    go_on_url: str
    questions: int
    points: str
    may_start: bool
    may_finish: bool
    length: str
    is_closed: bool
    handed_in: Moment | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseContext:
    """What the page of an exercise says of the assignment that a hand-in would belong to, or why it would not."""

    title: str
    url: str
    slug: str
    points: Decimal | None
    attempts: str
    counts: str
    due: Moment | None
    is_late: bool
    clock: Clock | None
    note: str
    steps: Steps | None = None


def assignment_rows(student: User, course: Course) -> list[AssignmentRow]:
    """The assignments of a course, in its order."""
    now = timezone.now()
    return [_row(assignment, own_window(assignment), now) for assignment in assignments_of(student, course)]


def due_rows(found: Iterable[Dated]) -> list[AssignmentRow]:
    """What is due of one's own assignments, the most urgent first."""
    now = timezone.now()
    return [_row(assignment, window, now) for assignment, window in due_assignments(found, at=now)]


def assignment_page(
    student: User, assignment: Assignment, *, is_staff: bool, length: timedelta | None
) -> AssignmentPage:
    """The page's values of an assignment that was found by `assignment_for`. Staff see the exercises at any time.

    `length` is how long the student's clock would run.
    """
    now, window = timezone.now(), own_window(assignment)
    items = items_shown(student, assignment, assignment_score(assignment, student, window=window))
    is_open = is_staff or (window.has_opened(now) and not window.awaits_start(now))
    is_taking = is_open and (is_staff or window.takes(now)) and not assignment.one_question_a_page
    is_running = window.started_at is not None and not window.is_over(now)
    return AssignmentPage(
        title=assignment.title,
        slug=assignment.slug,
        mark=_mark(window, now),
        is_quiz=assignment.is_quiz,
        dates=_dates(window),
        rules=_rules(assignment, window),
        clock=_clock(window, now),
        rows=items.rows if is_open else [],
        forms=assignment_questions(student, assignment) if is_taking else [],
        go_on_url=_go_on_url(items.rows) if is_open and assignment.one_question_a_page else "",
        questions=len(items.rows),
        points=items.points,
        may_start=window.has_opened(now) and window.awaits_start(now) and not is_staff,
        may_finish=assignment.is_quiz and is_running,
        length=_length(length),
        is_closed=window.is_closed(now),
        handed_in=moment_of(window.handed_in_at, window.zone),
    )


def _go_on_url(rows: list[ItemRow]) -> str:
    """The first question that nothing was handed in to, else the first."""
    left = [row for row in rows if row.mark is NOT_STARTED]
    return next((row.url for row in left or rows), "")


def terms_shown(met: Encounter, *, asked: str = "") -> Terms:
    """The terms that the page of an exercise shows: those of the assignment `asked` for as long as it takes hand-ins.

    Else they are those that hold without naming one, such as practice.
    """
    now = timezone.now()
    named = next((row.assignment for row in met.holding_openly if row.assignment.slug == asked), None)
    if named is not None:
        terms = terms_of(met.person, met.exercise, at=now, asked=named, met=met)
        if terms.refusal is None:
            return terms
    return terms_of(met.person, met.exercise, at=now, met=met)


def exercise_context(met: Encounter, terms: Terms) -> ExerciseContext | None:
    """What the page of an exercise says of its assignment; None where it stands by itself."""
    if terms.assignment is None or terms.window is None:
        return None if terms.is_counted else _practice(terms)
    assignment, window, now = terms.assignment, terms.window, timezone.now()
    left = attempts_left(met.person, met.exercise, assignment=assignment, met=met)
    return ExerciseContext(
        title=assignment.title,
        url=_url(assignment),
        slug=assignment.slug,
        points=met.points_in(assignment),
        attempts=attempts_word(left),
        counts=_counted_word(assignment),
        due=moment_of(window.due_at, window.zone),
        is_late=window.days_late(now) > 0,
        clock=_clock(window, now),
        note=_note(terms),
        steps=steps_of(met, assignment, window=window) if assignment.one_question_a_page else None,
    )


def before_handing_in(within: ExerciseContext | None, left: int | None) -> str:
    """How many attempts are left, and which one counts; said beside the button. `left` are those by itself."""
    if within is not None and within.note:
        return ""
    if within is not None:
        return f"{within.attempts}. {within.counts}" if within.attempts else within.counts
    if left == 0:
        return _("No attempt is left. What you hand in now is kept, and staff can see it; it is not judged.")
    if left is None:
        return _("Hand in as often as you like: the best one counts.")
    return _("%(attempts)s. The best one counts.") % {"attempts": attempts_word(left)}


def _practice(terms: Terms) -> ExerciseContext:
    closed = _("Its assignment is closed: what you hand in now is practice. It is judged, and counts nowhere.")
    note = _given_up_note() if terms.was_given_up else closed
    return ExerciseContext(
        title="", url="", slug="", points=None, attempts="", counts="", due=None, is_late=False, clock=None, note=note
    )


def _given_up_note() -> str:
    return _("You gave this exercise up: what you hand in now is practice. It is judged, and counts nowhere.")


def _note(terms: Terms) -> str:
    if terms.refusal == RefusalReason.TIME_OVER:
        return _("Your time for it is over: nothing more is taken.")
    if terms.refusal is not None:
        return _("It takes nothing just now: see its page.")
    if terms.was_given_up:
        return _given_up_note()
    return "" if terms.is_counted else _("As staff you only practise here.")


def _row(assignment: Assignment, window: Window, now: datetime) -> AssignmentRow:
    word, at = _what_is_next(window, now)
    return AssignmentRow(
        title=assignment.title,
        course=assignment.course.title,
        url=_url(assignment),
        mark=_mark(window, now),
        word=word,
        when=moment_of(at, window.zone),
    )


def _what_is_next(window: Window, now: datetime) -> tuple[str, datetime | None]:
    if not window.has_opened(now):
        return _("opens"), window.opens_at
    if window.is_closed(now):
        return _("closed"), window.closes_at
    if window.handed_in_at:
        return _("handed in"), window.handed_in_at
    if window.clock_ends_at:
        return _("your time ends"), window.clock_ends_at
    if window.due_at and now <= window.due_at:
        return _("due"), window.due_at
    return (_("closes"), window.closes_at) if window.closes_at else (_("was due"), window.due_at)


def _mark(window: Window, now: datetime) -> Mark:
    if not window.has_opened(now):
        return LATER
    if window.is_closed(now):
        return CLOSED
    if window.is_over(now):
        return HANDED_IN
    if window.awaits_start(now):
        return TO_START
    return LATE if window.days_late(now) else OPEN


def _dates(window: Window) -> list[tuple[str, Moment]]:
    named = ((_("Opens"), window.opens_at), (_("Due"), window.due_at), (_("Closes"), window.closes_at))
    return [(word, moment) for word, at in named if (moment := moment_of(at, window.zone))]


def _rules(assignment: Assignment, window: Window) -> list[str]:
    rules = [_counted_word(assignment)]
    if assignment.max_attempts is not None:
        rules.append(
            ngettext("One attempt at each exercise.", "%(count)d attempts at each exercise.", assignment.max_attempts)
            % {"count": assignment.max_attempts}
        )
    if window.due_at and assignment.late_percent_per_day:
        lost = _("Late costs %(percent)d %% of the points for each day that has begun after the due date")
        rules.append(lost % {"percent": assignment.late_percent_per_day} + _grace(assignment) + ".")
    elif window.due_at:
        rules.append(_("Being late costs nothing until it closes."))
    if window.closes_at:
        rules.append(_("After closing you can practise: that is judged, and counts nowhere."))
    return rules + _review_rules(assignment)


def _review_rules(assignment: Assignment) -> list[str]:
    """What is shown of it afterwards, where that is not at once."""
    outcomes = {
        Shown.CLOSED: _("What was judged is shown once it is closed."),
        Shown.RELEASED: _("What was judged is shown once your teachers release it."),
        Shown.NEVER: _("What was judged is not shown."),
    }
    solutions = {
        Shown.CLOSED: _("Solutions are shown once it is closed."),
        Shown.RELEASED: _("Solutions are shown once your teachers release them."),
        Shown.NEVER: _("Solutions are not shown."),
    }
    if assignment.released_at is not None:
        outcomes.pop(Shown.RELEASED)
        solutions.pop(Shown.RELEASED)
    if assignment.closes_at is None:
        solutions.pop(Shown.CLOSED)
    said = (outcomes.get(Shown(assignment.outcomes_shown)), solutions.get(Shown(assignment.solutions_shown)))
    return [sentence for sentence in said if sentence]


def _grace(assignment: Assignment) -> str:
    if not assignment.grace_minutes:
        return ""
    return ngettext(
        " and a grace of %(count)d minute", " and a grace of %(count)d minutes", assignment.grace_minutes
    ) % {"count": assignment.grace_minutes}


def _counted_word(assignment: Assignment) -> str:
    if assignment.counted == Counted.LAST:
        return _("The last one that you hand in counts.")
    return _("The best one that you hand in counts, after what being late costs it.")


def _clock(window: Window, now: datetime) -> Clock | None:
    if window.is_over(now) or window.clock_ends_at is None:
        return None
    ends = moment_of(window.clock_ends_at, ZoneInfo(window.zone.key))
    assert ends is not None
    return Clock(ends=ends, now=now)


def _length(length: timedelta | None) -> str:
    if length is None:
        return ""
    minutes = length.total_seconds() / 60
    return ngettext("%(minutes)s minute", "%(minutes)s minutes", 1 if minutes == 1 else 2) % {
        "minutes": number_text(minutes)
    }


def _url(assignment: Assignment) -> str:
    return reverse("learn:assignment", args=(assignment.course.slug, assignment.slug))
