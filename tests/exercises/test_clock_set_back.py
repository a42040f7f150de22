"""The machine's clock goes back by an hour: nobody waits until it has caught up, and nothing is lost."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from exercises import runner_status
from exercises.choices import RunKind, State
from exercises.models import Grading, Run, Submission
from exercises.services import (
    Swept,
    cancel_run,
    claim_next,
    record_outcome,
    release,
    renew_lease,
    save_draft,
    settle_clocks,
    start_assignment,
    start_run,
    sweep,
)
from exercises.services.outcomes import NO_FACTS
from tests.factories import make_assignment, make_exercise, make_member, make_outcome, make_submission, make_user

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def test_lease_of_a_dead_worker_runs_out_in_its_usual_time(clock):
    make_submission()
    claim_next("worker")
    clock.shift(-HOUR)

    at_once = sweep()
    clock.shift(16 * SECOND)
    later = sweep()

    assert (at_once, later) == (Swept(), Swept(freed=1))


def test_living_worker_keeps_its_claim_and_writes_the_outcome(clock):
    make_submission()
    claim = claim_next("worker")
    clock.shift(-HOUR)
    sweep()

    clock.shift(4 * SECOND)
    is_renewed = renew_lease(claim)
    clock.shift(12 * SECOND)
    swept = sweep()

    assert (is_renewed, swept) == (True, Swept())
    assert record_outcome(claim, make_outcome(), facts=NO_FACTS)


def test_pause_before_the_next_try_is_no_longer_than_usual(clock):
    make_submission()
    release(claim_next("worker"), "the runner died")
    clock.shift(-HOUR)
    sweep()

    clock.shift(20 * SECOND)

    assert claim_next("worker") is not None


def test_who_came_first_is_served_first(clock):
    first, second = (make_submission().grading for _ in range(2))
    clock.shift(-HOUR)
    make_submission()

    sweep()

    claims = [claim_next(f"worker {number}").id for number in range(3)]
    assert sorted(claims) == sorted(Grading.objects.values_list("pk", flat=True))
    assert claims.index(first.pk) < claims.index(second.pk)


def test_cancelled_run_holds_no_place_until_the_clock_has_caught_up(clock):
    student = make_user()
    run = start_run(student, RunKind.FREE, source="x = 1\n")
    claim_next("worker")
    run.refresh_from_db()
    cancel_run(run, student=student)
    assert Run.objects.get(pk=run.pk).state == State.SUPERSEDED
    clock.shift(-HOUR)

    for _ in range(2):
        start_run(student, RunKind.FREE, source="x = 1\n")

    assert student.runs.filter(state=State.QUEUED).count() == 2


def test_draft_of_a_quiz_is_handed_in_at_its_end(clock):
    exercise = make_exercise()
    quiz = make_assignment(exercise, is_quiz=True, minutes=30)
    student = make_member(quiz.course)
    start_assignment(student, quiz)
    clock.shift(-HOUR)
    save_draft(student, exercise, source="draft = 1\n", revision=0)

    clock.move_to(NOON + 31 * MINUTE)
    settle_clocks()

    assert Submission.objects.get().source == "draft = 1\n"


def test_report_of_the_future_is_not_fresh(clock):
    status = runner_status.RunnerStatus(isolation="tight", reported_at=(NOON + HOUR).timestamp())

    assert not runner_status.is_fresh(status)
