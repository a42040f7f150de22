import pytest
from django.core.cache import cache

from exercises import runner_status
from exercises.runner_status import RunnerFigures


@pytest.fixture(autouse=True)
def _own_cache(settings):
    backend = "django.core.cache.backends.locmem.LocMemCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "runner-status"}}
    yield
    cache.clear()


def test_figures_come_back_as_they_were_reported():
    figures = RunnerFigures(slots=2, layers={"no network": "tight"})

    runner_status.report(isolation="tight", figures=figures)

    assert runner_status.latest().figures == figures


def test_report_of_another_release_is_read_as_far_as_it_is_known():
    stored = {"isolation": "tight", "news": 1, "figures": {"slots": 3, "news": 2}}
    cache.set(runner_status._KEY, stored, 60)

    assert runner_status.latest().figures == RunnerFigures(slots=3)

    cache.set(runner_status._KEY, {"isolation": "reduced", "fault": "no answer"}, 60)

    assert (runner_status.latest().fault, runner_status.latest().figures) == ("no answer", None)
