from __future__ import annotations

from collections.abc import Iterable

from django.utils.crypto import salted_hmac

from exercises.models import Assignment, AssignmentExercise, User


def in_own_order(
    assignment: Assignment, items: Iterable[AssignmentExercise], *, student: User
) -> list[AssignmentExercise]:
    """The exercises of the assignment as this student has them: always the same, and not told by those of others.

    Where the assignment is not shuffled that is the order in which they are given.
    """
    if not assignment.is_shuffled:
        return list(items)
    return sorted(items, key=lambda item: _place(assignment, item, student))


def _place(assignment: Assignment, item: AssignmentExercise, student: User) -> str:
    value = f"{assignment.pk}:{item.exercise_id}:{student.pk}"
    return salted_hmac("quizsite.own_order", value, algorithm="sha256").hexdigest()
