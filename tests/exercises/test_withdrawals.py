"""What students take back: hand-ins that wait, runs that wait or run."""

import pytest

from exercises.choices import Kind, Lane, RunKind, State
from exercises.errors import TooManyRunsError
from exercises.models import Grading, Run
from exercises.queries import attempts_left, run_place
from exercises.services import RunFacts, cancel_run, claim_next, record_run, start_run, submit, withdraw
from graders.outcomes import Verdict
from tests.factories import make_course, make_exercise, make_member, make_run, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def exercise():
    return make_exercise(make_course(), max_attempts=2)


@pytest.fixture
def student(exercise):
    return make_member(exercise.course)


def free_run(student):
    return start_run(student, RunKind.FREE, source="1")


def state_of(work):
    return type(work).objects.get(pk=work.pk).state


def test_waiting_hand_in_is_taken_back_with_its_attempt(exercise, student):
    submission = submit(student, exercise, source="x")
    assert attempts_left(student, exercise) == 1

    assert withdraw(submission, student=student)

    grading = Grading.objects.get(submission=submission)
    assert (grading.state, grading.verdict, attempts_left(student, exercise)) == (State.SUPERSEDED, "", 2)
    assert claim_next("worker") is None


def test_hand_in_that_a_worker_has_begun_is_not_taken_back(exercise, student):
    submission = submit(student, exercise, source="x")
    claim_next("worker")

    assert not withdraw(submission, student=student)
    assert state_of(submission.grading) == State.RUNNING
    assert attempts_left(student, exercise) == 1


def test_taking_back_twice_changes_nothing(exercise, student):
    submission = submit(student, exercise, source="x")
    withdraw(submission, student=student)
    submit(student, exercise, source="y")

    assert not withdraw(submission, student=student)
    assert attempts_left(student, exercise) == 1


def test_another_cannot_take_it_back(exercise, student):
    submission = submit(student, exercise, source="x")

    assert not withdraw(submission, student=make_user())
    assert state_of(submission.grading) == State.QUEUED


def test_overtaken_hand_in_is_taken_back_too():
    exercise = make_exercise(make_course())
    student = make_member(exercise.course)
    first = submit(student, exercise, source="x")
    submit(student, exercise, source="y")
    assert Grading.objects.get(submission=first).lane == Lane.REPLACED

    assert withdraw(first, student=student)


def test_what_waits_for_a_person_stays():
    exercise = make_exercise(make_course(), kind=Kind.EXPLAIN)
    student = make_member(exercise.course)
    submission = submit(student, exercise, response="Because.")

    assert not withdraw(submission, student=student)


def test_waiting_run_is_cancelled(student):
    run = free_run(student)

    assert cancel_run(run, student=student)
    assert state_of(run) == State.SUPERSEDED
    assert claim_next("worker") is None
    assert not cancel_run(run, student=student)


def test_running_run_is_cancelled_and_its_result_not_heard(student):
    run = free_run(student)
    claim = claim_next("worker")

    assert cancel_run(run, student=student)
    assert not record_run(claim, Verdict.ACCEPTED, result={"stdout": "late"}, facts=RunFacts())
    found = Run.objects.get(pk=run.pk)
    assert (found.state, found.result, found.lease) == (State.SUPERSEDED, None, "")


def test_cancelled_run_holds_its_place_until_its_process_is_free(student):
    run = free_run(student)
    claim = claim_next("worker")
    cancel_run(run, student=student)
    free_run(student)

    with pytest.raises(TooManyRunsError):
        free_run(student)

    record_run(claim, Verdict.ACCEPTED, result={}, facts=RunFacts())
    free_run(student)


def test_another_cannot_cancel(student):
    run = free_run(student)

    assert not cancel_run(run, student=make_user())
    assert state_of(run) == State.QUEUED


def test_done_run_is_not_cancelled(student):
    run = make_run(student, state=State.GRADED, verdict="accepted")

    assert not cancel_run(run, student=student)


def test_place_of_a_run_counts_those_before_it(student):
    first, second = free_run(student), free_run(student)
    other = free_run(make_user())

    assert [run_place(run) for run in (first, second, other)] == [1, 2, 3]
    claim_next("worker")
    assert [run_place(Run.objects.get(pk=run.pk)) for run in (first, second)] == [None, 1]
