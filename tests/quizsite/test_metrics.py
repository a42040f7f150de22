import time

import pytest
from prometheus_client.parser import text_string_to_metric_families

from exercises import runner_status
from tests.factories import make_course, make_exercise, make_graded, make_member, make_submission

pytestmark = pytest.mark.django_db
TOKEN = "t" * 40


def scrape(client, token=TOKEN):
    return client.get("/metrics", headers={"Authorization": f"Bearer {token}"})


def numbers(response):
    families = text_string_to_metric_families(response.content.decode())
    return {(sample.name, *sample.labels.values()): sample.value for family in families for sample in family.samples}


@pytest.mark.parametrize(("token", "sent"), [("", ""), (TOKEN, "another"), (TOKEN, "ß")])
def test_without_the_token_there_is_no_such_address(client, settings, token, sent):
    settings.METRICS_TOKEN = token

    assert scrape(client, sent).status_code == 404


def test_numbers_are_what_prometheus_reads(client, settings, monkeypatch):
    settings.METRICS_TOKEN = TOKEN
    course = make_course()
    student = make_member(course)
    make_graded(student, make_exercise(course))
    make_submission(student, make_exercise(course))
    seen = runner_status.RunnerStatus(host="one", isolation="tight", reported_at=time.time())
    monkeypatch.setattr(runner_status, "every", lambda: [seen])

    found = numbers(scrape(client))

    assert found["quizsite_queue_waiting", "submission"] == 1
    assert found["quizsite_queue_age_seconds", "submission"] >= 0
    assert found["quizsite_verdicts_lately", "accepted"] == 1
    assert (found["quizsite_runner_answers", "one"], found["quizsite_runner_tight", "one"]) == (1, 1)
    assert found["quizsite_faults_lately",] == 0


def test_figures_of_the_runner_are_those_of_the_last_report(client, settings, monkeypatch):
    settings.METRICS_TOKEN = TOKEN
    figures = runner_status.RunnerFigures(
        mode="root", slots=2, running=1, template_age_seconds=3.5, torch_version="2.13.0", layers={"network": "tight"}
    )
    seen = runner_status.RunnerStatus(host="one", isolation="tight", reported_at=time.time(), figures=figures)
    monkeypatch.setattr(runner_status, "every", lambda: [seen])

    found = numbers(scrape(client))

    assert (found["quizsite_runner_slots", "one"], found["quizsite_runner_running", "one"]) == (2, 1)
    assert found["quizsite_runner_template_age_seconds", "one"] == 3.5
    assert found["quizsite_runner_layer", "network", "one", "tight"] == 1
    assert found["quizsite_runner_info", "", "root", "0", "one", "2.13.0"] == 1


def test_hosts_are_told_apart_and_a_silent_one_has_its_age_alone(client, settings, monkeypatch):
    settings.METRICS_TOKEN = TOKEN
    figures = runner_status.RunnerFigures(slots=2)
    seen = [
        runner_status.RunnerStatus(host="one", isolation="tight", reported_at=time.time(), figures=figures),
        runner_status.RunnerStatus(host="two", isolation="reduced", fault="refused", reported_at=time.time()),
        runner_status.RunnerStatus(host="gone", isolation="tight", reported_at=0, figures=figures),
    ]
    monkeypatch.setattr(runner_status, "every", lambda: seen)

    found = numbers(scrape(client))

    assert [found["quizsite_runner_answers", host] for host in ("one", "two")] == [1, 0]
    assert [found["quizsite_runner_tight", host] for host in ("one", "two")] == [1, 0]
    assert [name for name, *labels in found if "gone" in labels] == ["quizsite_runner_report_age_seconds"]
    assert ("quizsite_runner_slots", "two") not in found


def test_a_quiet_site_without_a_runner_says_so_in_zeros(client, settings):
    settings.METRICS_TOKEN = TOKEN

    found = numbers(scrape(client))

    assert found["quizsite_queue_oldest_seconds",] == 0
    assert not [name for name, *_ in found if name.startswith("quizsite_runner_")]
