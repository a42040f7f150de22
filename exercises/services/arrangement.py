"""The order of what a course holds, and what of it is put away."""

from __future__ import annotations

from django.db import transaction

from exercises.choices import AuditAction
from exercises.models import Course, Exercise, Lesson, User
from exercises.services.audit import record_action
from exercises.services.revisions import lock_exercise
from exercises.services.rights import require_instructor
from exercises.services.versions import take_away


@transaction.atomic
def move_exercise(exercise: Exercise, *, by: int, author: User) -> None:
    """Let the exercise change places with its neighbour before (`by` −1) or behind it (1); at an end it stays.

    Raises: NotAllowedError where the author is no instructor of the course.
    """
    require_instructor(author, exercise.course)
    _lock(exercise.course)
    others = list(exercise.course.exercises.filter(is_retired=False))
    _renumber(_moved(others, exercise.pk, by), Exercise)


@transaction.atomic
def move_lesson(lesson: Lesson, *, by: int, author: User) -> None:
    """As `move_exercise`, among the lessons."""
    require_instructor(author, lesson.course)
    _lock(lesson.course)
    others = list(lesson.course.lessons.filter(is_retired=False).only("pk", "position", "course"))
    _renumber(_moved(others, lesson.pk, by), Lesson)


@transaction.atomic
def retire_exercise(exercise: Exercise, *, author: User) -> None:
    """Put the exercise away: students meet it no longer, and what they handed in stays.

    Raises: NotAllowedError where the author is no instructor of the course.
    """
    require_instructor(author, exercise.course)
    lock_exercise(exercise)
    exercise.refresh_from_db(fields=["published", "scheduled_version", "scheduled_at", "is_retired"])
    if exercise.is_retired:
        return
    exercise.is_retired = True
    exercise.save(update_fields=["is_retired"])
    take_away(exercise)
    record_action(exercise.course, AuditAction.EXERCISE_RETIRED, actor=author, target=exercise.slug)


@transaction.atomic
def bring_back_exercise(exercise: Exercise, *, author: User) -> None:
    """Have an exercise among the others again that was put away; it is not published by that.

    Raises: NotAllowedError where the author is no instructor of the course.
    """
    require_instructor(author, exercise.course)
    lock_exercise(exercise)
    if Exercise.objects.filter(pk=exercise.pk, is_retired=True).update(is_retired=False, published=None):
        record_action(exercise.course, AuditAction.EXERCISE_BROUGHT_BACK, actor=author, target=exercise.slug)


def _moved(rows: list[Exercise] | list[Lesson], pk: int, by: int) -> list[int]:
    order = [row.pk for row in rows]
    place = order.index(pk)
    target = min(max(place + by, 0), len(order) - 1)
    order.insert(target, order.pop(place))
    return order


def _renumber(order: list[int], model: type[Exercise] | type[Lesson]) -> None:
    for position, pk in enumerate(order):
        model._default_manager.filter(pk=pk).exclude(position=position).update(position=position)


def _lock(course: Course) -> None:
    Course.objects.select_for_update(no_key=True).values_list("pk").get(pk=course.pk)
