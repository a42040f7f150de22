from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.choices import State
from exercises.models import BestScore, Grading, Run
from exercises.queries.classes import internal_errors
from exercises.services import Swept, claim_next, record_outcome, release, sweep
from exercises.services.outcomes import NO_FACTS
from graders.outcomes import Verdict
from tests.factories import make_outcome, make_run, make_submission

pytestmark = pytest.mark.django_db


def expire_leases():
    for model in (Run, Grading):
        model.objects.filter(state=State.RUNNING).update(lease_until=timezone.now() - timedelta(seconds=1))


def end_pauses():
    for model in (Run, Grading):
        model.objects.update(retry_at=None)


def test_released_work_waits_a_moment_for_its_next_try():
    grading = make_submission().grading

    release(claim_next("worker"), "the runner died")

    grading.refresh_from_db()
    assert (grading.state, grading.tries, grading.fault) == (State.QUEUED, 1, "the runner died")
    assert grading.retry_at > timezone.now()
    assert claim_next("worker") is None


def test_log_names_a_fault_and_not_what_an_exception_quotes(caplog):
    grading = make_submission().grading

    for _ in range(3):
        end_pauses()
        release(claim_next("worker"), "DataError: the source of Ada is too long")

    grading.refresh_from_db()
    assert grading.fault == "DataError: the source of Ada is too long"
    told = [record.getMessage() for record in caplog.records if record.name == "exercises.services.faults"]
    assert [message.rpartition(": ")[2] for message in told] == ["DataError"] * 3
    assert "Ada" not in caplog.text


def test_claim_that_was_released_is_lost():
    make_submission()
    claim = claim_next("worker")
    release(claim, "the runner died")

    release(claim, "once more")

    assert not record_outcome(claim, make_outcome(), facts=NO_FACTS)
    assert Grading.objects.get().fault == "the runner died"


def test_after_three_tries_it_is_an_internal_error_at_no_cost():
    submission = make_submission()
    for _ in range(3):
        end_pauses()
        release(claim_next("worker"), "the runner died")

    grading = submission.grading
    submission.attempt.refresh_from_db()
    assert (grading.state, grading.verdict, grading.score) == (State.GRADED, Verdict.INTERNAL_ERROR, None)
    assert submission.attempt.given_back_because == "a fault of ours"
    assert not BestScore.objects.exists()
    assert list(internal_errors(submission.exercise.course)) == [grading]


def test_run_that_is_given_up_ends_too():
    run = make_run()
    for _ in range(3):
        end_pauses()
        release(claim_next("worker"), "the runner died")

    run.refresh_from_db()
    assert (run.state, run.verdict) == (State.GRADED, Verdict.INTERNAL_ERROR)


def test_work_that_was_not_begun_is_tried_for_as_long_as_it_takes():
    grading = make_submission().grading
    for _ in range(5):
        end_pauses()
        release(claim_next("worker"), "no runner answers", is_try=False)

    grading.refresh_from_db()
    assert (grading.state, grading.tries) == (State.QUEUED, 0)


def test_sweeper_frees_what_a_dead_worker_held():
    grading, run = make_submission().grading, make_run()
    claim_next("worker"), claim_next("worker")
    expire_leases()

    assert sweep() == Swept(freed=2)

    grading.refresh_from_db()
    assert (grading.state, grading.fault) == (State.QUEUED, "worker did not renew its lease")
    assert claim_next("another").id == run.pk


def test_sweeper_leaves_a_held_lease_alone():
    make_submission()
    claim_next("worker")

    assert sweep() == Swept()
    assert Grading.objects.get().state == State.RUNNING


def test_sweeper_gives_up_after_three_tries():
    make_submission()
    for _ in range(2):
        claim_next("worker")
        expire_leases()
        sweep()
    claim_next("worker")
    expire_leases()

    assert sweep() == Swept(given_up=1)
    assert Grading.objects.get().verdict == Verdict.INTERNAL_ERROR


def test_sweeper_wakes_a_worker_when_something_waits(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as nothing_waits:
        sweep()
    make_run()
    with django_capture_on_commit_callbacks() as one_waits:
        sweep()

    assert (len(nothing_waits), len(one_waits)) == (0, 1)
