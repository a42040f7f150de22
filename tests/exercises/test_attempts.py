import pytest

from exercises.choices import RefusalReason, State
from exercises.errors import NoAttemptsLeftError
from exercises.models import Refusal, Submission
from exercises.queries import attempts_left
from exercises.services import RunFacts
from graders.outcomes import Verdict
from tests.factories import make_exercise, make_graded, make_member, make_outcome, make_submission

pytestmark = pytest.mark.django_db


def test_without_a_limit_attempts_are_not_counted_down():
    submission = make_graded()

    assert attempts_left(submission.student, submission.exercise) is None


def test_each_submission_that_counts_leaves_one_less():
    exercise = make_exercise(max_attempts=3)
    submission = make_graded(exercise=exercise)

    assert attempts_left(submission.student, exercise) == 2
    assert attempts_left(make_member(exercise.course), exercise) == 3


def test_hand_in_beyond_the_limit_is_refused_and_kept():
    exercise = make_exercise(max_attempts=1)
    student = make_graded(exercise=exercise).student

    with pytest.raises(NoAttemptsLeftError):
        make_submission(student, exercise, source="one more\n")

    assert Submission.objects.count() == 1
    refusal = Refusal.objects.get()
    assert (refusal.student, refusal.reason, refusal.source) == (student, RefusalReason.NO_ATTEMPTS, "one more\n")


def test_last_attempt_may_be_replaced_while_it_waits():
    exercise = make_exercise(max_attempts=1)
    waiting = make_submission(exercise=exercise)

    newer = make_submission(waiting.student, exercise)

    waiting.attempt.refresh_from_db()
    assert waiting.attempt.given_back_because == "replaced by a newer submission"
    assert newer.attempt.given_back_at is None
    assert attempts_left(waiting.student, exercise) == 0


def test_refused_hand_in_leaves_the_waiting_one_in_the_queue():
    exercise = make_exercise(max_attempts=2)
    student = make_graded(exercise=exercise).student
    waiting = make_submission(student, exercise)
    exercise.max_attempts = 1

    with pytest.raises(NoAttemptsLeftError):
        make_submission(student, exercise)

    assert waiting.grading.state == State.QUEUED


def test_source_that_does_not_load_gives_the_attempt_back():
    submission = make_graded(
        outcome=make_outcome(verdict=Verdict.RUNTIME_ERROR, score=0), facts=RunFacts(did_load=False)
    )

    submission.attempt.refresh_from_db()
    assert submission.attempt.given_back_at is not None
    assert submission.attempt.given_back_because == "the source did not load"


def test_wrong_answer_keeps_the_attempt():
    submission = make_graded(outcome=make_outcome(verdict=Verdict.WRONG_ANSWER, score=0))

    submission.attempt.refresh_from_db()
    assert submission.attempt.given_back_at is None
