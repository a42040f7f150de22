import time
from threading import Event

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from exercises import services
from exercises.models import Grading
from tests import factories
from worker import heartbeat

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def claim(monkeypatch):
    """A claimed grading whose lease has just lapsed."""
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 0.01)
    factories.make_submission()
    claim = services.claim_next("test")
    Grading.objects.filter(pk=claim.id).update(lease_until=timezone.now())
    return claim


@pytest.fixture
def beats(monkeypatch):
    """What the next beats meet: an error, an answer, or something to call; after the last the lease is renewed."""
    script, renew = [], services.renew_lease

    def beat(claim):
        met = script.pop(0) if script else renew(claim)
        if isinstance(met, Exception):
            raise met
        return met() if callable(met) else met

    monkeypatch.setattr(services, "renew_lease", beat)
    return script


def is_renewed_during_work(claim):
    held = Grading.objects.filter(pk=claim.id, lease_until__gt=timezone.now())
    with heartbeat.renewing(claim):
        end = time.monotonic() + 30
        while not held.exists() and time.monotonic() < end:
            time.sleep(0.01)
    return held.exists()


def test_lease_is_renewed_while_work_goes_on(claim):
    assert is_renewed_during_work(claim)


def test_lease_is_renewed_once_the_database_is_back(claim, beats, caplog):
    beats += [OperationalError("the database is starting up"), InterfaceError("the connection is closed")]

    assert is_renewed_during_work(claim)
    assert caplog.messages == [f"the lease of grading {claim.id} could not be renewed"] * 2


def test_connection_that_broke_is_given_up(claim, beats, monkeypatch):
    connection.ensure_connection()
    connection.errors_occurred = True
    monkeypatch.setattr(connection, "is_usable", lambda: False)
    found = []
    beats += [OperationalError("the connection is lost"), lambda: found.append(connection.connection)]

    heartbeat._beat(claim, Event())

    assert found == [None]


def test_heartbeat_of_a_lost_claim_ends(claim, beats):
    beats += [True, False, True]

    heartbeat._beat(claim, Event())

    assert beats == [True]
