"""Whoever floods the queue delays others by one piece of work, and what goes in batches delays nobody who waits."""

import pytest

from exercises.choices import RunKind, State
from exercises.errors import TooManyRunsError
from exercises.models import Grading
from exercises.services import RunFacts, claim_next, record_outcome, release, start_run, submit
from tests.factories import (
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    make_regrade,
    make_run,
    make_submission,
)

pytestmark = pytest.mark.django_db
FLOOD = 100


def served(count):
    """The students of the next gradings, done one after the other by one worker."""
    found = []
    for _ in range(count):
        claim = claim_next("worker")
        found.append(Grading.objects.get(pk=claim.id).student)
        record_outcome(claim, make_outcome(), facts=RunFacts())
    return found


def flood_of(course):
    """A student who has handed in to so many exercises."""
    student = make_member(course)
    for _ in range(FLOOD):
        make_submission(student, make_exercise(course))
    return student


def test_flood_of_hand_ins_to_many_exercises_delays_another_by_one():
    course = make_course()
    flooding, other = flood_of(course), make_member(course)
    make_submission(other, course.exercises.first())

    assert served(3) == [flooding, other, flooding]


def test_flood_delays_those_who_come_later_by_one_too():
    course = make_course()
    flooding, others = flood_of(course), [make_member(course) for _ in range(3)]
    exercise = course.exercises.first()
    found = served(2)
    for other in others:
        make_submission(other, exercise)

    assert found + served(4) == [flooding, flooding, flooding, *others]


def test_flood_is_served_in_the_order_of_its_arrival():
    course = make_course()
    student = make_member(course)
    handed_in = [make_submission(student, make_exercise(course)).grading.pk for _ in range(3)]

    claimed = []
    while (claim := claim_next("worker")) is not None:
        claimed.append(claim.id)
        record_outcome(claim, make_outcome(), facts=RunFacts())

    assert claimed == handed_in


def test_flood_of_one_exercise_is_taken_whole_and_delays_another_by_one():
    exercise = make_exercise()
    flooding, other = make_member(exercise.course), make_member(exercise.course)
    for number in range(FLOOD):
        submit(flooding, exercise, source=f"x = {number}\n")
    make_submission(other, exercise)

    assert served(2) == [flooding, other]
    assert flooding.submissions.count() == FLOOD


def test_who_has_too_many_runs_may_still_hand_in():
    exercise = make_exercise()
    student = make_member(exercise.course)
    start_run(student, RunKind.CASES, source="x = 1\n", exercise=exercise)
    start_run(student, RunKind.CASES, source="x = 2\n", exercise=exercise)

    with pytest.raises(TooManyRunsError):
        start_run(student, RunKind.CASES, source="x = 3\n", exercise=exercise)

    assert submit(student, exercise, source="x = 3\n").grading.state == State.QUEUED


def test_runs_and_hand_ins_never_wait_behind_a_batch():
    regrades = [make_regrade(make_graded()) for _ in range(5)]
    under_way = claim_next("worker 1")
    submission, run = make_submission(), make_run()

    claims = [claim_next("worker 2") for _ in range(3)]

    assert under_way.id == regrades[0].pk
    assert [(claim.kind, claim.id) for claim in claims] == [
        ("run", run.pk),
        ("grading", submission.grading.pk),
        ("grading", regrades[1].pk),
    ]


def test_work_that_found_no_slot_goes_back_to_its_place_without_a_try():
    first, second = make_submission(), make_submission()
    claim = claim_next("worker")

    release(claim, "no runner answers", is_try=False)

    assert claim.id == first.grading.pk
    first.grading.refresh_from_db()
    assert (first.grading.state, first.grading.tries) == (State.QUEUED, 0)
    assert first.grading.queued_at < second.grading.queued_at
