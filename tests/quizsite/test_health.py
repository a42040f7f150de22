import json

import pytest
from django.db import DatabaseError, connection
from django.test import Client

from exercises import runner_status

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(broker, settings):
    """A site with a broker of its own."""
    settings.REDIS_URL = broker.url
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": broker.url}}
    return Client()


def fail(*_):
    raise DatabaseError


def test_healthz_lives_without_database_and_broker(monkeypatch):
    monkeypatch.setattr(connection, "cursor", fail)

    answer = Client().get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert "no-store" in answer["Cache-Control"]


def test_servez_asks_only_the_database(monkeypatch):
    assert Client().get("/servez").json() == {"status": "ok", "database": "ok"}

    monkeypatch.setattr(connection, "cursor", fail)
    answer = Client().get("/servez")

    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable", "database": "away"})


def test_readyz_is_not_ready_before_a_worker_has_reported(site):
    answer = site.get("/readyz")

    assert answer.status_code == 503
    assert answer.json() == {
        "status": "unavailable",
        "database": "ok",
        "broker": "ok",
        "runner": "no report",
        "isolation": "unknown",
    }


def test_readyz_is_ready_with_a_tight_runner(site):
    runner_status.report(host="one", isolation="tight")

    answer = site.get("/readyz")

    assert (answer.status_code, answer.json()["isolation"]) == (200, "tight")


def test_readyz_is_ready_with_reduced_isolation_in_embedded_mode_only(site, settings):
    runner_status.report(host="one", isolation="reduced", open_layers={"network": "run it as root"})

    embedded = site.get("/readyz")
    settings.IS_EMBEDDED = False
    production = site.get("/readyz")

    assert (embedded.status_code, embedded.json()["open_layers"]) == (200, {"network": "run it as root"})
    assert (production.status_code, production.json()["runner"]) == (503, "isolation is reduced")
    assert "open_layers" not in production.json()


def test_readyz_names_a_runner_that_is_away(site):
    runner_status.report(host="one", isolation="tight", fault="no answer on the socket")

    answer = site.get("/readyz")

    assert (answer.status_code, answer.json()["runner"]) == (503, "away")
    assert "socket" not in json.dumps(answer.json())


def test_readyz_is_ready_with_one_runner_of_two_that_answers(site):
    runner_status.report(host="one", isolation="tight")
    runner_status.report(host="two", isolation="reduced", fault="no answer on the socket")

    answer = site.get("/readyz")

    assert (answer.status_code, answer.json()["isolation"]) == (200, "tight")


def test_readyz_is_not_ready_where_one_runner_of_two_is_reduced(site, settings):
    settings.IS_EMBEDDED = False
    runner_status.report(host="one", isolation="reduced")
    runner_status.report(host="two", isolation="tight")

    answer = site.get("/readyz")

    assert (answer.status_code, answer.json()["runner"]) == (503, "isolation is reduced")


def test_readyz_does_not_trust_an_old_report(site, monkeypatch):
    runner_status.report(host="one", isolation="tight")
    monkeypatch.setattr(runner_status, "FRESH_SECONDS", -1)

    assert site.get("/readyz").json()["runner"] == "no recent report"


def test_readyz_names_a_broker_that_is_away(settings, tmp_path):
    settings.REDIS_URL = f"unix://{tmp_path}/nothing.sock"

    answer = Client().get("/readyz")

    assert (answer.status_code, answer.json()["broker"]) == (503, "away")


@pytest.mark.parametrize("path", ["/healthz", "/servez", "/readyz"])
def test_health_is_only_read(path):
    assert Client().post(path).status_code == 405
