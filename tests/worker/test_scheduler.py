from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from worker.app import app
from worker.scheduler import Scheduler

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def sent(monkeypatch):
    """The names of the entries that were sent."""
    names = []
    monkeypatch.setattr(Scheduler, "apply_entry", lambda self, entry, producer=None: names.append(entry.name))
    monkeypatch.setattr(Scheduler, "producer", None)
    return names


def send_what_is_due(scheduler):
    """Tick until there is a pause; its length in seconds."""
    while (seconds := scheduler.tick()) == 0:
        pass
    return seconds


def test_entries_are_sent_when_they_are_due(sent):
    with time_machine.travel(NOON, tick=False) as clock:
        scheduler = Scheduler(app)
        send_what_is_due(scheduler)
        at_first = list(sent)
        clock.shift(6)
        send_what_is_due(scheduler)

    assert at_first == []
    assert set(sent) == {"sweep"}


def test_clock_that_is_set_back_holds_nothing_up(sent):
    with time_machine.travel(NOON, tick=False) as clock:
        scheduler = Scheduler(app)
        clock.shift(6)
        send_what_is_due(scheduler)
        sent.clear()
        clock.shift(-HOUR)
        pause = send_what_is_due(scheduler)
        clock.shift(6)
        send_what_is_due(scheduler)

    assert pause <= 2
    assert set(sent) == {"sweep"}
