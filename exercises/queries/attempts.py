from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Q

from exercises.models import Assignment, Exercise, Submission, User
from exercises.queries.encounters import Encounter
from exercises.queries.windows import own_extension


def attempts_left(
    student: User, exercise: Exercise, *, assignment: Assignment | None = None, met: Encounter | None = None
) -> int | None:
    """How often the student may still hand in; None where there is no limit.

    Attempts within an assignment and those by itself are counted apart. `met` is what is known of the two already.
    """
    met = met or Encounter(student, exercise)
    allowed = attempts_allowed(student, exercise, assignment=assignment, met=met)
    if allowed is None:
        return None
    return max(allowed - met.attempts.get(assignment.pk if assignment else None, 0), 0)


def attempts_allowed(
    student: User, exercise: Exercise, *, assignment: Assignment | None = None, met: Encounter | None = None
) -> int | None:
    """How often the student may hand in at all: as the assignment says, else the exercise, and what was granted."""
    if assignment is None:
        return exercise.max_attempts
    allowed = assignment.max_attempts if assignment.max_attempts is not None else exercise.max_attempts
    if allowed is None:
        return None
    return allowed + (met or Encounter(student, exercise)).extra_attempts_in(assignment)


def attempts_by_exercise(
    student: User, assignment: Assignment, exercises: Iterable[Exercise]
) -> dict[int, tuple[int, int | None]]:
    """For each of its exercises, by id: how often the student handed in, and how many attempts are left.

    The assignment must have been fetched by `with_own_dates`. One query.
    """
    mine = Submission.objects.filter(student=student, assignment=assignment).order_by().values_list("exercise")
    charged = Count("attempt", filter=Q(attempt__given_back_at=None))
    counted = {pk: (handed_in, used) for pk, handed_in, used in mine.annotate(handed_in=Count("pk"), used=charged)}
    extension, found = own_extension(assignment), {}
    granted = extension.extra_attempts if extension else 0
    for exercise in exercises:
        handed_in, used = counted.get(exercise.pk, (0, 0))
        allowed = assignment.max_attempts if assignment.max_attempts is not None else exercise.max_attempts
        left = None if allowed is None else max(allowed + granted - used, 0)
        found[exercise.pk] = (handed_in, left)
    return found
