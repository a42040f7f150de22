from __future__ import annotations

from collections import Counter

from exercises.models import Assignment, Exercise, Submission, User
from exercises.queries.encounters import Encounter


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


def attempts_by_exercise(student: User, assignment: Assignment) -> dict[int, tuple[int, int | None]]:
    """For each exercise of the assignment, by id: how often the student handed in, and how many attempts are left."""
    mine = Submission.objects.filter(student=student, assignment=assignment)
    handed_in = Counter(mine.values_list("exercise_id", flat=True))
    used = Counter(
        mine.filter(attempt__given_back_at=None, attempt__isnull=False).values_list("exercise_id", flat=True)
    )
    granted = assignment.extensions.filter(student=student).values_list("extra_attempts", flat=True).first() or 0
    found = {}
    for pk, own_limit in assignment.exercises.values_list("pk", "max_attempts"):
        allowed = assignment.max_attempts if assignment.max_attempts is not None else own_limit
        left = None if allowed is None else max(allowed + granted - used[pk], 0)
        found[pk] = (handed_in[pk], left)
    return found
