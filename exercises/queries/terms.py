"""On what terms a hand-in is taken just now: within an assignment, as practice, by itself, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from django.db.models import QuerySet

from exercises.choices import LEARNER_ROLES, RefusalReason
from exercises.models import Assignment, Exercise, User
from exercises.queries.encounters import Encounter
from exercises.queries.windows import Window

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


def terms_of(
    student: User,
    exercise: Exercise,
    *,
    at: datetime,
    asked: Assignment | None = None,
    met: Encounter | None = None,
) -> Terms:
    """The terms of a hand-in that arrives at this moment, for the assignment that is `asked` for, if one is.

    Without one it belongs to the assignment that takes it and ends first. Where the exercise's assignments are closed
    it is practice; where there are none, or they have yet to open and a lesson shows the exercise to all, it stands by
    itself. What staff hand in to an assignment is always practice. `met` is what is known of the two already.
    """
    met = met or Encounter(student, exercise)
    terms = _dated_terms(met, at=at, asked=asked)
    if terms.is_counted and met.has_given_up:
        return replace(terms, is_counted=False, was_given_up=True)
    return terms


def _dated_terms(met: Encounter, *, at: datetime, asked: Assignment | None) -> Terms:
    if met.role not in LEARNER_ROLES:
        return BY_ITSELF if asked is None else _terms(asked, met.window_in(asked), is_counted=False)
    if asked is not None:
        window = met.window_in(asked)
        return _terms(asked, window, refusal=_refusal(window, at))
    return _found_terms(met, at)


def assignments_with(exercise: Exercise) -> QuerySet[Assignment]:
    """The assignments that hold the exercise, without those that only staff see; `course` costs no further query."""
    return Assignment.objects.filter(items__exercise=exercise, is_hidden=False).select_related("course")


def _found_terms(met: Encounter, at: datetime) -> Terms:
    found = met.holding_openly
    if not found:
        return BY_ITSELF
    each = [_terms(row.assignment, row.window, refusal=_refusal(row.window, at)) for row in found]
    if taking := [terms for terms in each if terms.refusal is None]:
        return min(taking, key=_end)
    if ended := [terms for terms in each if terms.refusal == RefusalReason.TIME_OVER]:
        return ended[0]
    if any(terms.refusal == RefusalReason.CLOSED for terms in each):
        return Terms(is_counted=False)
    return each[0] if met.lesson is None else BY_ITSELF


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
