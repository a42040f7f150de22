"""What hand-ins to assignments bring: the best or the last, what being late costs, and scores of a class."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine

from exercises.choices import Counted
from exercises.models import Extension, Override
from exercises.queries import (
    assignment_score,
)
from graders.outcomes import Verdict
from tests.factories import make_assignment, make_exercise, make_graded, make_member, make_outcome

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


def scoring(score):
    return make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(score), max_score=Decimal(4))


def graded_at(student, exercise, at, score):
    with time_machine.travel(at, tick=False):
        return make_graded(student, exercise, outcome=scoring(score))


def test_best_is_taken_after_what_being_late_costs():
    exercise = make_exercise()
    assignment = make_assignment(exercise, due_at=NOON, late_percent_per_day=25)
    student = make_member(exercise.course)
    in_time = graded_at(student, exercise, NOON, 3)
    graded_at(student, exercise, NOON + DAY + SECOND, 4)

    score = assignment_score(assignment, student)

    assert (score.points, score.max_points) == (Decimal("7.50"), 10)
    assert (score.items[0].submission, score.items[0].kept) == (in_time, 1)


def test_late_one_counts_where_it_is_worth_more():
    exercise = make_exercise()
    assignment = make_assignment(exercise, due_at=NOON, late_percent_per_day=10)
    student = make_member(exercise.course)
    graded_at(student, exercise, NOON, 3)
    late = graded_at(student, exercise, NOON + SECOND, 4)

    item = assignment_score(assignment, student).items[0]

    assert (item.points, item.submission, item.kept) == (Decimal("9.00"), late, Decimal("0.9"))


def test_last_counts_where_the_assignment_says_so():
    exercise = make_exercise()
    assignment = make_assignment(exercise, counted=Counted.LAST)
    student = make_member(exercise.course)
    graded_at(student, exercise, NOON, 4)
    graded_at(student, exercise, NOON + SECOND, 1)

    assert assignment_score(assignment, student).points == Decimal("2.50")


def test_extension_that_comes_afterwards_lifts_the_penalty():
    exercise = make_exercise()
    assignment = make_assignment(exercise, due_at=NOON, late_percent_per_day=50)
    student = make_member(exercise.course)
    graded_at(student, exercise, NOON + SECOND, 4)
    assert assignment_score(assignment, student).points == 5

    Extension.objects.create(assignment=assignment, student=student, due_at=NOON + DAY)

    assert assignment_score(assignment, student).points == 10


def test_points_of_an_assignment_are_rounded_once_for_each_exercise():
    course = make_exercise().course
    exercises = [make_exercise(course) for _ in range(2)]
    assignment = make_assignment(*exercises)
    assignment.items.update(points=Decimal("1.01"))
    student = make_member(course)
    for exercise in exercises:
        graded_at(student, exercise, NOON, 2)

    assert [item.points for item in assignment_score(assignment, student).items] == [Decimal("0.51")] * 2


def test_what_was_handed_in_elsewhere_brings_nothing():
    exercise = make_exercise()
    one, other = make_assignment(exercise, closes_at=NOON), make_assignment(exercise, opens_at=NOON)
    student = make_member(exercise.course)
    graded_at(student, exercise, NOON - SECOND, 4)

    assert assignment_score(one, student).points == 10
    assert assignment_score(other, student).points == 0


def test_override_stands_until_it_is_withdrawn():
    exercise = make_exercise()
    assignment = make_assignment(exercise)
    student = make_member(exercise.course)
    graded_at(student, exercise, NOON, 4)
    override = Override.objects.create(
        student=student, exercise=exercise, assignment=assignment, score=1, max_score=4, reason="copied"
    )
    item = assignment_score(assignment, student).items[0]
    assert (item.points, item.is_overridden) == (Decimal("2.50"), True)

    override.withdrawn_at = NOON
    override.save()

    assert assignment_score(assignment, student).points == 10
