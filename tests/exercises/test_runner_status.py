import time

import pytest
from django.core.cache import cache

from exercises import runner_status
from exercises.runner_status import RunnerFigures, RunnerStatus


@pytest.fixture(autouse=True)
def _own_cache(settings):
    backend = "django.core.cache.backends.locmem.LocMemCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "runner-status"}}
    yield
    cache.clear()


def test_figures_come_back_as_they_were_reported():
    figures = RunnerFigures(slots=2, layers={"no network": "tight"})

    runner_status.report(host="one", isolation="tight", figures=figures)

    assert [status.figures for status in runner_status.every()] == [figures]


def test_report_of_another_release_is_read_as_far_as_it_is_known():
    stored = {"isolation": "tight", "news": 1, "figures": {"slots": 3, "news": 2}}
    cache.set("runner-status", stored, 60)

    assert [status.figures for status in runner_status.every()] == [RunnerFigures(slots=3)]

    cache.set("runner-status", {"isolation": "reduced", "fault": "no answer"}, 60)

    assert [(status.host, status.fault, status.figures) for status in runner_status.every()] == [
        ("", "no answer", None)
    ]


def hosts():
    return [status.host for status in runner_status.every()]


def test_each_host_keeps_its_own_and_the_newest_comes_first():
    for host, isolation in [("one", "tight"), ("two", "tight"), ("one", "reduced")]:
        runner_status.report(host=host, isolation=isolation)

    assert [(status.host, status.isolation) for status in runner_status.every()] == [
        ("one", "reduced"),
        ("two", "tight"),
    ]


def test_worker_of_an_earlier_release_beside_newer_ones_hides_none():
    runner_status.report(host="one", isolation="tight")
    cache.set("runner-status", {"isolation": "tight", "reported_at": time.time()}, 60)
    runner_status.report(host="one", isolation="tight")

    assert sorted(hosts()) == ["", "one"]


def report_unseeing(monkeypatch, **fields):
    """Report at the same moment as somebody else: what is there already is not seen yet."""
    with monkeypatch.context() as patch:
        patch.setattr(cache, "get_many", lambda places: {}, raising=False)
        runner_status.report(**fields)


def test_two_hosts_that_see_the_same_free_place_both_stay(monkeypatch):
    runner_status.report(host="one", isolation="tight")
    report_unseeing(monkeypatch, host="two", isolation="tight")

    assert sorted(hosts()) == ["one", "two"]


def test_process_that_takes_a_second_place_for_its_host_shows_it_once(monkeypatch):
    runner_status.report(host="one", isolation="tight")
    report_unseeing(monkeypatch, host="one", isolation="reduced")

    assert [(status.host, status.isolation) for status in runner_status.every()] == [("one", "reduced")]


def test_the_longest_silent_makes_place_for_a_new_host(monkeypatch):
    monkeypatch.setattr(runner_status, "_PLACES", ("a", "b"))
    for host in ("one", "two", "three"):
        runner_status.report(host=host, isolation="tight")

    assert hosts() == ["three", "two"]


def seen(host, isolation="tight", *, fault="", layers=None):
    """A report of this moment, but of the hosts `gone` and `older`."""
    reported_at = {"gone": 2.0, "older": 1.0}.get(host) or time.time()
    return RunnerStatus(isolation=isolation, host=host, fault=fault, reported_at=reported_at, open_layers=layers or {})


@pytest.mark.parametrize(
    ("statuses", "isolation", "fault", "is_heard"),
    [
        ([("one", "tight", ""), ("two", "tight", "")], "tight", "", True),
        ([("one", "tight", ""), ("two", "reduced", "")], "reduced", "", True),
        ([("one", "reduced", "refused"), ("two", "tight", "")], "tight", "", True),
        ([("one", "reduced", "refused"), ("two", "reduced", "lost")], "reduced", "refused", True),
        ([("one", "tight", ""), ("gone", "reduced", "lost")], "tight", "", True),
        ([("one", "reduced", "refused"), ("gone", "tight", "")], "reduced", "refused", True),
        ([("gone", "tight", ""), ("older", "reduced", "")], "tight", "", False),
    ],
)
def test_site_stands_as_the_runners_that_are_heard(statuses, isolation, fault, is_heard):
    found = runner_status.overall([seen(host, stands, fault=said) for host, stands, said in statuses])

    assert (found.isolation, found.fault, runner_status.is_fresh(found)) == (isolation, fault, is_heard)


def test_open_layers_are_those_of_all_that_answer():
    found = runner_status.overall(
        [seen("one", "reduced", layers={"network": "x"}), seen("two"), seen("three", "reduced", layers={"user": "y"})]
    )

    assert found.open_layers == {"network": "x", "user": "y"}


def test_site_without_any_report_stands_nowhere():
    assert runner_status.overall([]) is None
