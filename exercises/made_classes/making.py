from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from exercises.made_classes.courses import make_course, make_people
from exercises.made_classes.hand_ins import Maker
from exercises.made_classes.materials import mistakes_of
from exercises.made_classes.plans import Subject, Work, plan_of
from exercises.made_classes.sizes import ClassSize
from exercises.models import Course, Exercise


def make_class(size: ClassSize) -> Course:
    """Make the course, its people and all their work, in batches that are transactions of their own."""
    course = make_course(size)
    exercises = _exercises(course)
    Maker(size, exercises, make_people(course, size)).make(plan_for(size, exercises))
    # So that the planner knows at once how many there are.
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return course


def plan_for(size: ClassSize, exercises: Sequence[Exercise]) -> list[Work]:
    """What the class does: the truth that its statistics can be compared with."""
    return plan_of(size, [_subject(exercise) for exercise in exercises])


def _exercises(course: Course) -> list[Exercise]:
    return list(course.exercises.select_related("published").prefetch_related("versions"))


def _subject(exercise: Exercise) -> Subject:
    version = exercise.published
    assert version is not None
    return Subject(mistakes=len(mistakes_of(version)), is_once=version.is_reviewed)
