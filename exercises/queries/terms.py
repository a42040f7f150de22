"""On what terms a hand-in is taken just now: within an assignment, as practice, by itself, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.db.models import QuerySet

from exercises.choices import LEARNER_ROLES, RefusalReason
from exercises.models import Assignment, Exercise, User
from exercises.queries.courses import role_in
from exercises.queries.solutions import has_given_up
from exercises.queries.windows import Window, window_of, windows_of

FAR = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """`assignment` and `window` are those that it belongs to, if any; `refusal` says why it is not taken.

    What is not counted is practice: judged, in no score, and no attempt. So is all that comes after the exercise was
    given up for its solution.
    """

    assignment: Assignment | None = None
    window: Window | None = None
    is_counted: bool = True
    refusal: RefusalReason | None = None
    was_given_up: bool = False


BY_ITSELF = Terms()


def terms_of(student: User, exercise: Exercise, *, at: datetime, asked: Assignment | None = None) -> Terms:
    """The terms of a hand-in that arrives at this moment, for the assignment that is `asked` for, if one is.

    Without one it belongs to the assignment that takes it and ends first. Where the exercise's assignments are closed
    it is practice; where there are none, or they have yet to open and a lesson shows the exercise to all, it stands by
    itself. What staff hand in to an assignment is always practice.
    """
    terms = _dated_terms(student, exercise, at=at, asked=asked)
    if terms.is_counted and has_given_up(student, exercise):
        return replace(terms, is_counted=False, was_given_up=True)
    return terms


def _dated_terms(student: User, exercise: Exercise, *, at: datetime, asked: Assignment | None) -> Terms:
    if role_in(student, exercise.course) not in LEARNER_ROLES:
        return BY_ITSELF if asked is None else _terms(asked, window_of(asked, student), is_counted=False)
    if asked is not None:
        window = window_of(asked, student)
        return _terms(asked, window, refusal=_refusal(window, at))
    return _found_terms(student, exercise, at)


def assignments_with(exercise: Exercise) -> QuerySet[Assignment]:
    """The assignments that hold the exercise, without those that only staff see; `course` costs no further query."""
    return Assignment.objects.filter(items__exercise=exercise, is_hidden=False).select_related("course")


def windows_with(student: User, exercise: Exercise) -> list[Window]:
    """The student's dates of each assignment that holds the exercise."""
    return list(windows_of(assignments_with(exercise), student).values())


def _found_terms(student: User, exercise: Exercise, at: datetime) -> Terms:
    found = list(assignments_with(exercise))
    if not found:
        return BY_ITSELF
    windows = windows_of(found, student)
    each = [_terms(row, windows[row.pk], refusal=_refusal(windows[row.pk], at)) for row in found]
    if taking := [terms for terms in each if terms.refusal is None]:
        return min(taking, key=_end)
    if ended := [terms for terms in each if terms.refusal == RefusalReason.TIME_OVER]:
        return ended[0]
    if any(terms.refusal == RefusalReason.CLOSED for terms in each):
        return Terms(is_counted=False)
    is_in_lesson = exercise.embeddings.filter(lesson__is_retired=False).exists()
    return BY_ITSELF if is_in_lesson else each[0]


def _terms(
    assignment: Assignment, window: Window, *, is_counted: bool = True, refusal: RefusalReason | None = None
) -> Terms:
    return Terms(assignment=assignment, window=window, is_counted=is_counted, refusal=refusal)


def _refusal(window: Window, at: datetime) -> RefusalReason | None:
    if not window.has_opened(at):
        return RefusalReason.NOT_OPEN
    if window.is_closed(at):
        return RefusalReason.CLOSED
    if window.awaits_start(at):
        return RefusalReason.NOT_STARTED
    return RefusalReason.TIME_OVER if window.is_over(at) else None


def _end(terms: Terms) -> datetime:
    assert terms.window is not None
    return terms.window.ends_at or terms.window.due_at or FAR
