"""Whether a student may see the solution of an exercise by now, and how they would get there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone

from exercises.choices import ActivityKind, Shown
from exercises.models import Activity, Assignment, Exercise, User
from exercises.queries.encounters import Encounter
from exercises.queries.windows import Window
from exercises.queries.withheld import is_shown


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionAccess:
    """`is_open`: by now. `may_give_up`: not yet, but for the score of what comes after.

    `withheld_by` is the assignment that keeps it back, and `opens_at` when that one closes, if it is known.
    """

    is_open: bool = False
    may_give_up: bool = False
    has_given_up: bool = False
    was_viewed: bool = False
    withheld_by: Assignment | None = None
    opens_at: datetime | None = None


def solution_access(student: User, exercise: Exercise, *, met: Encounter | None = None) -> SolutionAccess:
    """Open to whoever solved the exercise or gave it up, to everybody once it is closed, and to staff.

    Not before the assignments that hold it let it be seen: most of them do once they are closed. One that staff still
    prepare withholds it too. `met` is what is known of the two already.
    """
    met = met or Encounter(student, exercise)
    known = SolutionAccess(has_given_up=met.has_given_up, was_viewed=met.has_viewed_solution)
    if met.is_staff:
        return replace(known, is_open=True)
    now = timezone.now()
    for row in met.holding:
        assignment, window = row.assignment, row.window
        if not is_shown(assignment.solutions_shown, assignment, window) or _is_to_come(assignment, window, now):
            return _withheld(assignment, window, known)
    is_open = known.has_given_up or _is_closed(met, now) or _knows_of_solving(met)
    return replace(known, is_open=is_open, may_give_up=not is_open)


def may_view_solution(student: User, exercise: Exercise, *, met: Encounter | None = None) -> bool:
    """Whether the solution is open to the student by now."""
    return solution_access(student, exercise, met=met).is_open


def has_given_up(student: User, exercise: Exercise) -> bool:
    """Whether the student gave the exercise up: what they hand in afterwards is practice."""
    return Activity.objects.filter(student=student, exercise=exercise, kind=ActivityKind.GAVE_UP).exists()


def exercises_given_up(student: User) -> set[int]:
    """Ids of the exercises that the student gave up."""
    given_up = Activity.objects.filter(student=student, kind=ActivityKind.GAVE_UP)
    return set(given_up.values_list("exercise_id", flat=True))


def _knows_of_solving(met: Encounter) -> bool:
    """Whether the student solved it and sees so: where what was judged is withheld, the solution would tell of it."""
    return met.has_solved and met.exercise.pk not in met.withheld.exercises


def _is_closed(met: Encounter, now: datetime) -> bool:
    """Whether nothing is taken any more that counts: put away, or each of its assignments that closes is closed."""
    if met.exercise.is_retired or met.exercise.published is None:
        return True
    closing = [row.window for row in met.holding if row.window.closes_at is not None]
    return bool(closing) and all(window.is_closed(now) for window in closing)


def _withheld(assignment: Assignment, window: Window, known: SolutionAccess) -> SolutionAccess:
    """What is withheld; of an assignment that only staff see not even that it is there is told."""
    if assignment.is_hidden:
        return known
    opens_at = window.closes_at if assignment.solutions_shown == Shown.CLOSED else None
    return replace(known, withheld_by=assignment, opens_at=opens_at)


def _is_to_come(assignment: Assignment, window: Window, now: datetime) -> bool:
    """Whether its exercises have yet to be given out, so that nothing of them should be known."""
    if assignment.solutions_shown == Shown.AT_ONCE or window.is_closed(now):
        return False
    return assignment.is_hidden or not window.has_opened(now)
