from datetime import timedelta

import pytest
from django.utils import timezone

from exercises import runner_status
from exercises.choices import State
from exercises.models import Grading, Submission
from exercises.queries import finished_lately, running_work, waiting_work
from exercises.services import RunFacts, claim_next, record_outcome, requeue
from tests.exercises.test_requeue import given_up
from tests.factories import (
    make_exercise,
    make_graded,
    make_outcome,
    make_regrade,
    make_run,
    make_submission,
    make_user,
)

pytestmark = pytest.mark.django_db


def test_queue_is_counted_by_lane_with_the_age_of_the_oldest(people, course):
    now = timezone.now()
    for who, age in (("owner", 5), ("classmate", 30)):
        submission = make_submission(people[who], make_exercise(course))
        Submission.objects.filter(pk=submission.pk).update(created_at=now - timedelta(seconds=age))
    make_run(people["owner"])

    found = {lane.lane: (lane.count, round(lane.age_seconds)) for lane in waiting_work(at=now)}

    assert found["submission"] == (2, 30)
    assert found["run"][0] == 1
    assert running_work() == {"run": 0, "submission": 0, "check": 0}


def test_stages_are_measured_over_the_last_quarter_of_an_hour(people, course):
    now = timezone.now()
    for place, (wait, work) in enumerate([(1, 2), (3, 2), (5, 8)]):
        grading = make_graded(people["owner"], make_exercise(course)).gradings.get()
        finished = now - timedelta(minutes=place)
        started = finished - timedelta(seconds=work)
        queued = started - timedelta(seconds=wait)
        moments = {"started_at": started, "finished_at": finished, "claimed_by": "worker"}
        Grading.objects.filter(pk=grading.pk).update(**moments)
        Submission.objects.filter(pk=grading.submission_id).update(created_at=queued)
    old = make_graded(people["owner"], make_exercise(course)).gradings.get()
    Grading.objects.filter(pk=old.pk).update(finished_at=now - timedelta(hours=1))

    lately = finished_lately(at=now)

    assert lately.verdicts == {"accepted": 3}
    assert [(stage.name, stage.p50) for stage in lately.stages] == [("wait", 3.0), ("grading", 2.0)]
    assert lately.stages[1].p95 == pytest.approx(7.4)


def test_wait_is_from_the_arrival_though_the_place_in_the_queue_moves(people, course):
    for _ in range(2):
        make_submission(people["owner"], make_exercise(course))
    now = timezone.now()
    Submission.objects.update(created_at=now - timedelta(minutes=2))

    claim = claim_next("worker")

    waits = Grading.objects.get(state=State.QUEUED)
    assert waits.queued_at > now
    assert [round(lane.age_seconds) for lane in waiting_work(at=now)] == [120]
    record_outcome(claim, make_outcome(), facts=RunFacts())
    assert round(finished_lately(at=timezone.now()).stages[0].p50) == 120


def test_what_was_put_back_after_a_fault_or_is_regraded_waits_anew(people, course, operator):
    grading = given_up(people["owner"], course)
    make_regrade(make_graded(people["classmate"], make_exercise(course)))
    Submission.objects.update(created_at=timezone.now() - timedelta(days=1))

    requeue([grading.pk], actor=operator)

    assert {lane.lane: lane.count for lane in waiting_work(at=timezone.now())} == {"submission": 1, "regrade": 1}
    assert max(lane.age_seconds for lane in waiting_work(at=timezone.now())) < 3600


def test_nothing_finished_is_no_error():
    lately = finished_lately(at=timezone.now())

    assert lately.verdicts == {}
    assert {stage.p95 for stage in lately.stages} == {0.0}


@pytest.fixture
def operator(client):
    user = make_user(is_staff=True)
    client.force_login(user)
    return user


def test_page_is_for_those_who_run_the_site(client, people):
    client.force_login(people["teacher"])

    assert client.get("/operations/").status_code == 404
    assert client.post("/operations/requeue/").status_code == 404


def test_page_shows_the_fault_and_puts_it_back(client, operator, people, course):
    grading = given_up(people["owner"], course)
    Grading.objects.filter(pk=grading.pk).update(finished_at=timezone.now())

    before = client.get("/operations/").content.decode()
    client.post("/operations/requeue/", {"grading": [grading.pk, "x"]})
    after = client.get("/operations/").content.decode()

    assert grading.submission.receipt in before
    assert "1 submission is queued again." in after
    assert Grading.objects.get(pk=grading.pk).state == State.QUEUED


def test_page_tells_a_silent_runner_from_one_that_answers(client, operator, monkeypatch):
    assert "No worker has reported one." in client.get("/operations/").content.decode()
    for status, words in [
        (runner_status.RunnerStatus(isolation="tight", reported_at=timezone.now().timestamp()), "is tight"),
        (runner_status.RunnerStatus(isolation="reduced", fault="refused", reported_at=0), "It does not answer"),
        (runner_status.RunnerStatus(isolation="tight", reported_at=0), "older than a minute"),
    ]:
        monkeypatch.setattr(runner_status, "every", lambda found=status: [found])
        assert words in client.get("/operations/").content.decode()


def test_page_shows_what_the_runner_said_of_itself(client, operator, monkeypatch):
    figures = runner_status.RunnerFigures(
        slots=4,
        running=3,
        template_age_seconds=2310.4,
        torch_version="2.13.0",
        layers={"capped scratch": "substituted"},
    )
    seen = runner_status.RunnerStatus(isolation="tight", reported_at=timezone.now().timestamp(), figures=figures)
    monkeypatch.setattr(runner_status, "every", lambda: [seen])

    page = client.get("/operations/").content.decode()

    for words in ("3 of 4", "39 min", "2.13.0", "<dt>capped scratch</dt><dd>substituted</dd>"):
        assert words in page


def test_page_shows_each_runner_with_its_host_and_when_it_reported(client, operator, monkeypatch):
    now = timezone.now().timestamp()
    seen = [
        runner_status.RunnerStatus(host="grader-1", isolation="tight", reported_at=now),
        runner_status.RunnerStatus(host="grader-<2>", isolation="reduced", reported_at=0),
        runner_status.RunnerStatus(isolation="tight", reported_at=now),
    ]
    monkeypatch.setattr(runner_status, "every", lambda: seen)

    page = client.get("/operations/").content.decode()

    for title in ("grader-1", "grader-&lt;2&gt;", "A worker of an earlier release"):
        assert f"<h3>{title}</h3>" in page
    assert page.count("older than a minute") == 1
    assert 'datetime="1970-01-01T00:00:00+00:00"' in page


def test_page_takes_as_many_queries_for_three_faults_as_for_one(client, operator, people, course, queries_of):
    given_up(people["owner"], course)
    queries_of("/operations/")
    one = queries_of("/operations/")
    for _ in range(2):
        given_up(people["owner"], course)

    assert queries_of("/operations/") == one
