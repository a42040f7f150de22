"""Exercises of assignments: which are due or over, and when a student may meet them."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from exercises.choices import Kind, Role
from exercises.models import Exercise, Extension
from exercises.queries import (
    course_progress,
    due_assignments,
    exercise_for,
    is_over_for,
    may_view_solution,
    search,
    window_of,
)
from exercises.queries.withheld import own_assignments
from exercises.services import start_assignment, submit
from tests.factories import make_assignment, make_exercise, make_lesson, make_member

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


def numeric(course=None, **overrides):
    return make_exercise(course, kind=Kind.NUMERIC, **overrides)


def handed_in(student, exercise, at, response=5, **fields):
    with time_machine.travel(at, tick=False):
        return submit(student, exercise, response=response, **fields)


def test_due_is_what_still_takes_something_the_most_urgent_first():
    exercise = numeric()
    later = make_assignment(exercise, due_at=NOON + 2 * DAY)
    sooner = make_assignment(exercise, closes_at=NOON + DAY)
    quiz = make_assignment(exercise, closes_at=NOON + 3 * DAY, is_quiz=True)
    for dates in ({}, {"closes_at": NOON}, {"opens_at": NOON + DAY, "due_at": NOON + 2 * DAY}):
        make_assignment(exercise, **dates)
    make_assignment(exercise, due_at=NOON + DAY, is_hidden=True)

    due = due_assignments(own_assignments(make_member(exercise.course)), at=NOON)

    assert [assignment for assignment, _window in due] == [sooner, later, quiz]
    assert due_assignments(own_assignments(make_member(exercise.course, role=Role.ASSISTANT)), at=NOON) == []


def test_exercise_is_over_once_its_assignments_are_closed():
    exercise = numeric()
    make_assignment(exercise, closes_at=NOON)
    student = make_member(exercise.course)
    handed_in(student, exercise, NOON - DAY)

    with time_machine.travel(NOON - SECOND, tick=False):
        assert not is_over_for(student, exercise)
        assert not may_view_solution(student, exercise)
    with time_machine.travel(NOON, tick=False):
        assert is_over_for(student, exercise)
        assert may_view_solution(student, exercise)


def met(student, exercise):
    """Whether the student meets the exercise by its page, in lists and by search; all of them or none."""
    course = exercise.course
    try:
        by_page = exercise_for(student, course.slug, exercise.slug) == exercise
    except Exercise.DoesNotExist:
        by_page = False
    listed = exercise in [item.exercise for item in course_progress(student, course).exercises]
    found = exercise.slug in [hit.slug for hit in search(student, exercise.published.title)]
    assert by_page == listed == found
    return by_page


@pytest.mark.parametrize(
    ("dates", "is_met"),
    [
        ({}, True),
        ({"opens_at": NOON + SECOND}, False),
        ({"opens_at": NOON}, True),
        ({"is_hidden": True}, False),
        ({"is_quiz": True}, False),
        ({"is_quiz": True, "closes_at": NOON + SECOND}, False),
        ({"is_quiz": True, "closes_at": NOON}, True),
        ({"closes_at": NOON}, True),
    ],
)
def test_exercise_is_met_once_an_assignment_lets_it_be(dates, is_met):
    exercise = numeric()
    make_assignment(exercise, **dates)

    with time_machine.travel(NOON, tick=False):
        assert met(make_member(exercise.course), exercise) == is_met
        assert met(make_member(exercise.course, role=Role.ASSISTANT), exercise)


def test_exercise_of_a_quiz_is_met_from_the_start_on():
    exercise = numeric()
    quiz = make_assignment(exercise, is_quiz=True)
    student = make_member(exercise.course)

    start_assignment(student, quiz)

    assert met(student, exercise)
    assert not met(make_member(exercise.course), exercise)


def test_exercise_of_a_quiz_stays_held_back_while_an_extension_runs():
    exercise = numeric()
    quiz = make_assignment(exercise, is_quiz=True, closes_at=NOON)
    student = make_member(exercise.course)
    Extension.objects.create(assignment=quiz, student=student, closes_at=NOON + DAY)

    with time_machine.travel(NOON, tick=False):
        assert not met(student, exercise)
    with time_machine.travel(NOON + DAY, tick=False):
        assert met(student, exercise)


@pytest.mark.parametrize(
    ("dates", "own"),
    [({}, {"due_at": NOON + DAY}), ({"closes_at": NOON + DAY, "due_at": NOON + DAY}, {"closes_at": NOON})],
)
def test_exercise_of_a_quiz_stays_held_back_until_it_is_due(dates, own):
    """It closes for nobody before it is due: else there were questions to see before the clock is started."""
    exercise = numeric()
    quiz = make_assignment(exercise, is_quiz=True, **{"closes_at": NOON, **dates})
    student = make_member(exercise.course)
    Extension.objects.create(assignment=quiz, student=student, **own)

    with time_machine.travel(NOON, tick=False):
        assert window_of(quiz, student).awaits_start(NOON)
        assert not met(student, exercise)
    with time_machine.travel(NOON + DAY, tick=False):
        assert met(student, exercise)


def test_exercise_in_a_lesson_or_in_another_open_assignment_is_met():
    exercise, other = numeric(), numeric()
    make_lesson(exercise.course).embedded.create(exercise=exercise, position=0)
    make_assignment(exercise, is_hidden=True)
    make_assignment(other, opens_at=NOON + 9999 * DAY)
    make_assignment(other)

    assert met(make_member(exercise.course), exercise)
    assert met(make_member(other.course), other)
