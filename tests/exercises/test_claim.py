from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.choices import State
from exercises.services import RunFacts, claim_next, record_run, renew_lease
from graders.outcomes import Verdict
from tests.factories import make_graded, make_regrade, make_run, make_submission, make_user

pytestmark = pytest.mark.django_db


def test_claim_marks_the_row_as_running_under_a_lease():
    grading = make_submission().grading

    claim = claim_next("worker 1")

    grading.refresh_from_db()
    assert (claim.kind, claim.id, claim.lease) == ("grading", grading.pk, grading.lease)
    assert (grading.state, grading.tries, grading.claimed_by) == (State.RUNNING, 1, "worker 1")
    assert grading.lease_until > timezone.now()


def test_nothing_waiting_gives_nothing():
    assert claim_next("worker") is None


def test_runs_come_before_submissions_and_submissions_before_regrades():
    regrade = make_regrade(make_graded())
    submission = make_submission()
    run = make_run()

    claims = [claim_next("worker") for _ in range(4)]

    assert [(claim.kind, claim.id) for claim in claims[:3]] == [
        ("run", run.pk),
        ("grading", submission.grading.pk),
        ("grading", regrade.pk),
    ]
    assert claims[3] is None


def test_older_comes_first():
    newer, older = make_run(), make_run(queued_at=timezone.now() - timedelta(minutes=1))

    assert [claim_next("worker").id for _ in range(2)] == [older.pk, newer.pk]


def test_student_with_something_running_waits_and_the_next_one_is_served():
    student = make_user()
    first, second = make_run(student), make_run(student)
    submission, other = make_submission(student), make_run()

    claims = [claim_next("worker") for _ in range(3)]

    assert [claim and claim.id for claim in claims] == [first.pk, other.pk, None]
    record_run(claims[0], Verdict.ACCEPTED, result={}, facts=RunFacts())
    assert claim_next("worker").id == second.pk
    assert submission.grading.state == State.QUEUED


def test_row_that_waits_for_its_next_try_is_not_claimed():
    make_run(retry_at=timezone.now() + timedelta(minutes=1))
    due = make_run(retry_at=timezone.now() - timedelta(seconds=1))

    assert claim_next("worker").id == due.pk
    assert claim_next("worker") is None


def test_lease_is_renewed_as_long_as_it_is_held():
    run = make_run()
    claim = claim_next("worker")
    run.refresh_from_db()
    before = run.lease_until

    assert renew_lease(claim)

    run.refresh_from_db()
    assert run.lease_until > before


def test_lost_lease_is_not_renewed():
    run = make_run()
    claim = claim_next("worker")
    type(run).objects.update(lease="another's")

    assert not renew_lease(claim)
