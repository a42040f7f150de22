"""Whether a student may see the solution of an exercise by now, and how they would get there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone

from exercises.choices import ActivityKind, Shown
from exercises.models import Activity, Assignment, Exercise, User
from exercises.queries.courses import is_staff_of
from exercises.queries.hints import has_solved
from exercises.queries.windows import Window, windows_of
from exercises.queries.withheld import is_shown, withheld_from


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


def solution_access(student: User, exercise: Exercise) -> SolutionAccess:
    """Open to whoever solved the exercise or gave it up, to everybody once it is closed, and to staff.

    Not before the assignments that hold it let it be seen: most of them do once they are closed. One that staff still
    prepare withholds it too.
    """
    kinds = _recorded(student, exercise)
    known = SolutionAccess(has_given_up=ActivityKind.GAVE_UP in kinds, was_viewed=ActivityKind.SOLUTION_VIEWED in kinds)
    if is_staff_of(student, exercise.course):
        return replace(known, is_open=True)
    found = list(Assignment.objects.filter(items__exercise=exercise).select_related("course").distinct())
    windows, now = windows_of(found, student) if found else {}, timezone.now()
    for assignment in found:
        window = windows[assignment.pk]
        if not is_shown(assignment.solutions_shown, assignment, window) or _is_to_come(assignment, window, now):
            return _withheld(assignment, window, known)
    is_open = known.has_given_up or _is_closed(exercise, windows, now) or _knows_of_solving(student, exercise)
    return replace(known, is_open=is_open, may_give_up=not is_open)


def may_view_solution(student: User, exercise: Exercise) -> bool:
    """Whether the solution is open to the student by now."""
    return solution_access(student, exercise).is_open


def has_given_up(student: User, exercise: Exercise) -> bool:
    """Whether the student gave the exercise up: what they hand in afterwards is practice."""
    return Activity.objects.filter(student=student, exercise=exercise, kind=ActivityKind.GAVE_UP).exists()


def exercises_given_up(student: User) -> set[int]:
    """Ids of the exercises that the student gave up."""
    given_up = Activity.objects.filter(student=student, kind=ActivityKind.GAVE_UP)
    return set(given_up.values_list("exercise_id", flat=True))


def _recorded(student: User, exercise: Exercise) -> set[str]:
    kinds = (ActivityKind.GAVE_UP, ActivityKind.SOLUTION_VIEWED)
    done = Activity.objects.filter(student=student, exercise=exercise, kind__in=kinds)
    return set(done.values_list("kind", flat=True))


def _knows_of_solving(student: User, exercise: Exercise) -> bool:
    """Whether the student solved it and sees so: where what was judged is withheld, the solution would tell of it."""
    return has_solved(student, exercise) and exercise.pk not in withheld_from(student).exercises


def _is_closed(exercise: Exercise, windows: dict[int, Window], now: datetime) -> bool:
    """Whether nothing is taken any more that counts: put away, or each of its assignments that closes is closed."""
    if exercise.is_retired or exercise.published is None:
        return True
    closing = [window for window in windows.values() if window.closes_at is not None]
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
