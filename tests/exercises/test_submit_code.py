import pytest

from exercises.choices import Kind, Lane, RefusalReason, State
from exercises.errors import ExerciseClosedError, InvalidFieldError, VersionChangedError
from exercises.models import Attempt, Draft, Exercise, Grading, Refusal, Submission
from exercises.services import RunFacts, claim_next, record_outcome, save_draft, submit
from graders.outcomes import Verdict
from tests.factories import (
    make_case,
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    make_submission,
    publish_version,
)

pytestmark = pytest.mark.django_db


def test_submit_stores_a_queued_grading_in_force_and_an_attempt():
    exercise = make_exercise()
    student = make_member(exercise.course)

    submission = submit(student, exercise, source="  x = 1\n\n")

    assert submission.source == "  x = 1\n\n"
    assert submission.version == exercise.published
    assert submission.grading.state == State.QUEUED
    assert submission.attempt.given_back_at is None


def test_receipt_has_eight_letters_that_are_not_mistaken():
    receipt = make_submission().receipt

    assert len(receipt) == 9
    assert receipt[4] == "-"
    assert not set(receipt) & set("01ILOU")


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({}, "source"),
        ({"source": None}, "source"),
        ({"source": 7}, "source"),
        ({"source": "x = 1\0"}, "source"),
        ({"source": "x = '\ud800'"}, "source"),
        ({"source": "é" * (128 * 1024) + "x"}, "source"),
        ({"source": "x", "response": "y"}, "response"),
        ({"source": "x", "version": 9}, "version"),
        ({"source": "x", "version": "1"}, "version"),
        ({"source": "x", "version": True}, "version"),
        ({"source": "x", "version": 2**70}, "version"),
        ({"source": "x", "idempotency_key": ""}, "Idempotency-Key"),
        ({"source": "x", "idempotency_key": "k" * 201}, "Idempotency-Key"),
        ({"source": "x", "idempotency_key": "k\n"}, "Idempotency-Key"),
    ],
)
def test_a_field_of_the_wrong_form_is_named_and_nothing_stored(fields, named):
    exercise = make_exercise()
    student = make_member(exercise.course)

    with pytest.raises(InvalidFieldError) as caught:
        submit(student, exercise, **fields)

    assert caught.value.field == named
    assert Submission.objects.count() == 0


def test_source_of_256_kibibytes_is_taken():
    assert make_submission(source="é" * (128 * 1024)).grading.state == State.QUEUED


def test_retired_exercise_takes_nothing_and_the_hand_in_is_kept():
    exercise = make_exercise(is_retired=True)

    with pytest.raises(ExerciseClosedError):
        submit(make_member(exercise.course), exercise, source="x = 1\n")

    refusal = Refusal.objects.get()
    assert (refusal.reason, refusal.source) == (RefusalReason.CLOSED, "x = 1\n")
    assert Submission.objects.count() == 0


def test_exercise_that_was_taken_back_takes_nothing_and_the_hand_in_is_kept():
    exercise = make_exercise()
    exercise.published = None

    with pytest.raises(ExerciseClosedError):
        submit(make_member(exercise.course), exercise, source="x = 1\n")

    assert Refusal.objects.get().source == "x = 1\n"
    assert Submission.objects.count() == 0


def test_response_to_a_question_that_was_taken_back_is_kept():
    exercise = make_exercise(kind=Kind.NUMERIC)
    exercise.published = None

    with pytest.raises(ExerciseClosedError):
        submit(make_member(exercise.course), exercise, response="5")

    assert Refusal.objects.get().response == "5"


def test_exercise_that_never_was_takes_nothing():
    exercise = Exercise.objects.create(course=make_course(), slug="empty")

    with pytest.raises(ExerciseClosedError, match="not published"):
        submit(make_member(exercise.course), exercise, source="x = 1\n")


def test_older_version_that_is_judged_alike_is_taken():
    exercise = make_exercise(version={"grading_hash": "same"})
    publish_version(exercise, grading_hash="same")

    submission = make_submission(exercise=exercise, version=1)

    assert submission.version.number == 2


def test_older_version_that_is_judged_differently_is_refused():
    exercise = make_exercise()
    publish_version(exercise)

    student = make_member(exercise.course)

    with pytest.raises(VersionChangedError, match="corrected since you opened it"):
        make_submission(student, exercise, version=1, source="mine")

    refusal = Refusal.objects.get()
    assert (refusal.reason, refusal.source) == (RefusalReason.VERSION_CHANGED, "mine")
    assert Draft.objects.get().source == "mine"
    assert not Submission.objects.exists()
    assert make_submission(student, exercise, version=2, source="mine").version == exercise.published


def test_refused_text_is_set_aside_beside_a_draft_that_says_something_else():
    exercise = make_exercise()
    student = make_member(exercise.course)
    save_draft(student, exercise, source="another", revision=0)
    publish_version(exercise)

    with pytest.raises(VersionChangedError):
        make_submission(student, exercise, version=1, source="mine")

    draft = Draft.objects.get()
    assert (draft.source, draft.set_aside) == ("another", "mine")


def test_response_to_an_older_version_is_kept_as_a_refusal():
    exercise = make_exercise(kind=Kind.NUMERIC)
    publish_version(exercise, kind=Kind.NUMERIC)

    with pytest.raises(VersionChangedError):
        submit(make_member(exercise.course), exercise, response="5", version=1)

    assert Refusal.objects.get().response == "5"
    assert not Draft.objects.exists()


def test_script_is_queued_like_code():
    assert make_submission(exercise=make_exercise(kind=Kind.SCRIPT)).grading.state == State.QUEUED


def test_newer_hand_in_overtakes_the_waiting_one_at_no_cost_and_keeps_its_place():
    first = make_submission()
    other = make_submission(exercise=first.exercise)

    second = make_submission(first.student, first.exercise)

    overtaken = Grading.objects.get(submission=first)
    assert (overtaken.state, overtaken.lane) == (State.QUEUED, Lane.REPLACED)
    assert Attempt.objects.filter(submission__student=first.student, given_back_at=None).get().submission == second
    assert second.grading.queued_at < other.grading.queued_at


def test_overtaken_hand_in_is_claimed_after_everybody_else():
    first = make_submission()
    second = make_submission(first.student, first.exercise)
    other = make_submission(exercise=first.exercise)

    claims = []
    while (claim := claim_next("test")) is not None:
        claims.append(claim.id)
        record_outcome(claim, make_outcome(), facts=RunFacts())

    assert claims == [submission.grading.pk for submission in (second, other, first)]


def test_newer_hand_in_supersedes_the_waiting_one_where_attempts_are_limited():
    first = make_submission(exercise=make_exercise(max_attempts=2))

    make_submission(first.student, first.exercise)

    assert Grading.objects.get(submission=first).state == State.SUPERSEDED


def test_newer_hand_in_leaves_other_exercises_and_students_alone():
    first = make_submission()
    elsewhere = make_submission(first.student)
    classmate = make_submission(exercise=first.exercise)

    make_submission(first.student, first.exercise)

    assert elsewhere.grading.state == State.QUEUED
    assert classmate.grading.state == State.QUEUED


def test_newer_hand_in_leaves_the_running_one_alone():
    first = make_submission()
    claim_next("worker")

    second = make_submission(first.student, first.exercise)

    assert first.grading.state == State.RUNNING
    assert second.grading.state == State.QUEUED


def test_equal_hand_in_takes_the_outcome_over_and_costs_nothing():
    first = make_graded(printed="hello", source="x = 1\n", outcome=make_outcome(cases=(make_case(),)))

    second = make_submission(first.student, first.exercise, source="x = 1\n")

    assert second.grading.state == State.GRADED
    assert second.grading.verdict == Verdict.ACCEPTED
    assert second.grading.feedback == first.grading.feedback
    assert [case.name for case in second.grading.case_results.all()] == ["two tokens"]
    assert first.grading.case_results.count() == 1
    assert not Attempt.objects.filter(submission=second).exists()


def test_equal_hand_in_is_judged_afresh_when_the_grading_changed():
    first = make_graded(source="x = 1\n")
    publish_version(first.exercise)

    second = make_submission(first.student, first.exercise, source="x = 1\n")

    assert second.grading.state == State.QUEUED
    assert Attempt.objects.filter(submission=second).exists()


def test_equal_hand_in_after_a_limit_is_judged_afresh_and_costs_nothing():
    first = make_graded(source="x = 1\n", outcome=make_outcome(verdict=Verdict.TIME_LIMIT, score=0))

    second = make_submission(first.student, first.exercise, source="x = 1\n")

    assert second.grading.state == State.QUEUED
    assert not Attempt.objects.filter(submission=second).exists()


def test_equal_hand_in_of_a_classmate_is_judged_by_itself():
    first = make_graded(source="x = 1\n", facts=RunFacts(cpu_seconds=0.1))

    assert make_submission(exercise=first.exercise, source="x = 1\n").grading.state == State.QUEUED


def test_hand_in_wakes_a_worker_after_commit(django_capture_on_commit_callbacks, caplog):
    with django_capture_on_commit_callbacks(execute=True):
        make_submission()

    assert "worker.tasks.work was not queued" in caplog.text
