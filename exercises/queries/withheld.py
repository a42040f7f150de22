"""Which outcomes a person does not see yet: the one place where that is decided.

Pages, the API, lists, notices and a person's copy of their data ask here, so that what an assignment holds back is held
back everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet
from django.utils import timezone

from exercises.choices import LEARNER_ROLES, Lane, Shown, State
from exercises.models import Assignment, AssignmentExercise, Exercise, Grading, Submission, User
from exercises.queries.windows import Window, own_extension, own_window, with_own_dates
from graders.outcomes import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """What one person does not see yet of what they handed in.

    `assignments` are the ids of those that do not show what was judged, `exercises` those that they hold. `since` says
    by exercise from when on hand-ins beside the assignment are not shown either, practice among them: else the same
    text, handed in once more, would tell.
    """

    assignments: frozenset[int] = frozenset()
    exercises: frozenset[int] = frozenset()
    since: Mapping[int, datetime] = field(default_factory=dict)

    def hides(self, grading: Grading) -> bool:
        """Whether what was judged is not shown. That nothing was judged, by us or since it was replaced, is."""
        if grading.state == State.SUPERSEDED or grading.verdict == Verdict.INTERNAL_ERROR:
            return False
        handed_in = grading.submission
        if handed_in.assignment_id in self.assignments:
            return True
        since = self.since.get(handed_in.exercise_id)
        return since is not None and since <= handed_in.created_at


NOTHING_WITHHELD = Withheld()
_IS_STRANGERS = Q(own_role=None, has_handed_in=True)
"""Where somebody handed in who is in the course no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """An assignment with one person's dates, points by the id of each exercise in it, and the attempts it grants more.

    `is_learner`: the person is a student of its course. `may_withhold`: they are no staff of it, and have something to
    do with it.
    """

    assignment: Assignment
    window: Window
    exercises: Mapping[int, Decimal]
    extra_attempts: int
    is_learner: bool
    may_withhold: bool


def withheld_from(viewer: User) -> Withheld:
    """What is withheld from the viewer; nothing of courses where they are staff. One query."""
    return withheld_by(dated_assignments(viewer))


def dated_assignments(viewer: User, *, holding: Exercise | None = None) -> list[Dated]:
    """The assignments that may withhold something from the viewer, and those that hold the exercise, in order.

    Hidden ones are among them. One query.
    """
    shows_at_once = Q(outcomes_shown=Shown.AT_ONCE) | Q(outcomes_shown=Shown.RELEASED, released_at__isnull=False)
    wanted = (Q(own_role__in=LEARNER_ROLES) | _IS_STRANGERS) & ~shows_at_once
    if holding is not None:
        wanted |= Q(Exists(AssignmentExercise.objects.filter(assignment=OuterRef("pk"), exercise=holding)))
    return _each_once(wanted, viewer)


def own_assignments(viewer: User) -> list[Dated]:
    """The assignments of all courses in which the viewer is, or has handed in, in order; hidden ones too. One query."""
    return _each_once(Q(own_role__isnull=False) | _IS_STRANGERS, viewer)


def withheld_by(found: Iterable[Dated]) -> Withheld:
    """What these assignments withhold just now."""
    now = timezone.now()
    standing = [row for row in found if _withholds(row)]
    if not standing:
        return NOTHING_WITHHELD
    since: dict[int, datetime] = {}
    for row in standing:
        if begun := _begun(row.assignment, row.window, now):
            since.update({pk: min(begun, since.get(pk, begun)) for pk in row.exercises})
    return Withheld(
        assignments=frozenset(row.assignment.pk for row in standing),
        exercises=frozenset(pk for row in standing for pk in row.exercises),
        since=since,
    )


def withheld_gradings(student: User, withheld: Withheld) -> list[Grading]:
    """The gradings in force of the student that they do not see, with their submissions; no query where none can be."""
    if not withheld.assignments:
        return []
    return [grading for grading in touched_gradings(student, withheld) if withheld.hides(grading)]


def touched_gradings(student: User, withheld: Withheld, *, waiting: bool = False) -> list[Grading]:
    """The student's gradings in force of all that is withheld in part, with their submissions; one query.

    With those that are `waiting` for a person, of any exercise, if so asked.
    """
    wanted = Q(submission__exercise__in=withheld.exercises) | Q(submission__assignment__in=withheld.assignments)
    if waiting:
        wanted |= Q(state=State.QUEUED, lane=Lane.REVIEW)
    found = Grading.objects.filter(wanted, student=student, in_force=True).select_related("submission")
    return list(found.defer("feedback", "submission__source", "submission__response"))


def is_shown(shown: str, assignment: Assignment, window: Window) -> bool:
    """Whether what the assignment shows then (`Shown`) is shown by now to the student whose dates these are."""
    if shown == Shown.CLOSED:
        # One that never closes would never show anything.
        return window.closes_at is None or window.is_closed(timezone.now())
    if shown == Shown.RELEASED:
        return assignment.released_at is not None
    return shown == Shown.AT_ONCE


def _each_once(wanted: Q, viewer: User) -> list[Dated]:
    """The wanted assignments with all that is the viewer's. One query, with a row for each exercise `held`."""
    dated = with_own_dates(_met_by(viewer).filter(wanted), viewer)
    rows: Iterable[Any] = dated.annotate(held=F("items__exercise"), held_points=F("items__points"))
    held: dict[int, dict[int, Decimal]] = {}
    first: dict[int, Any] = {}
    for row in rows:
        first.setdefault(row.pk, row)
        held.setdefault(row.pk, {}).update({} if row.held is None else {row.held: row.held_points})
    return [_dated(row, held[pk]) for pk, row in first.items()]


def _met_by(viewer: User) -> QuerySet[Assignment]:
    """All assignments, with the viewer's role in the course of each and whether they ever handed in to it."""
    # Nearly every page asks this: a join is built and sent in half the time of conditions on each course.
    membership = FilteredRelation("course__memberships", condition=Q(course__memberships__user=viewer))
    handed_in = Submission.objects.filter(assignment=OuterRef("pk"), student=viewer)
    joined = Assignment.objects.annotate(own_membership=membership)
    return joined.annotate(own_role=F("own_membership__role"), has_handed_in=Exists(handed_in))


def _dated(row: Any, held: Mapping[int, Decimal]) -> Dated:
    """One row of `_met_by`, dated, with the exercises that it holds."""
    return Dated(
        assignment=row,
        window=own_window(row),
        exercises=held,
        extra_attempts=extension.extra_attempts if (extension := own_extension(row)) else 0,
        is_learner=row.own_role in LEARNER_ROLES,
        may_withhold=row.own_role in LEARNER_ROLES or (row.own_role is None and row.has_handed_in),
    )


def _withholds(row: Dated) -> bool:
    return row.may_withhold and not is_shown(row.assignment.outcomes_shown, row.assignment, row.window)


def _begun(assignment: Assignment, window: Window, now: datetime) -> datetime | None:
    """From when on the student may know what is asked: None where that is not yet so."""
    if assignment.is_hidden or not window.has_opened(now):
        return None
    if window.needs_start and window.started_at is None:
        return window.closes_at if window.is_closed(now) else None
    return window.started_at if window.needs_start else window.opens_at or assignment.created_at
