"""A container as the runner sees it: how its child and its first process died."""

import contextlib
import os
import signal

import pytest

from worker.sandbox import containers
from worker.sandbox.containers import Container, open_pipes


@pytest.fixture
def container():
    """A container without a process."""
    made = Container(name="run-1", place=0, template=None, pipes=open_pipes(), group=None)
    yield made
    made.close()
    made.forget()


def test_pipes_are_not_opened_where_few_descriptors_are_left(monkeypatch):
    opened = []
    monkeypatch.setattr(containers, "are_descriptors_short", lambda highest: opened.append(highest) or True)

    with pytest.raises(OSError, match="Too many open files"):
        open_pipes()

    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(opened[0])


@pytest.fixture
def ends():
    """Two descriptors in the place of those that watch a process: of one that lives, of one that is dead."""
    alive, alive_end = os.pipe()
    dead, dead_end = os.pipe()
    os.close(dead_end)
    yield alive, dead
    for descriptor in (alive, alive_end, dead):
        with contextlib.suppress(OSError):
            os.close(descriptor)


def test_child_that_nothing_watches_is_not_known_to_be_dead(container):
    assert not container.has_died()


@pytest.mark.parametrize(("place", "expected"), [(0, False), (1, True)])
def test_death_is_seen_before_it_is_told(container, ends, place, expected):
    container.child = ends[place]

    assert container.has_died() == expected


@pytest.mark.parametrize(
    ("wait_status", "expected"),
    [(None, False), (0, False), (9 << 8, False), (signal.SIGSEGV, False), (signal.SIGKILL, True)],
)
def test_child_was_killed_if_it_died_by_that_signal(container, wait_status, expected):
    container.wait_status = wait_status

    assert container.was_killed == expected


@pytest.mark.parametrize(("place", "expected"), [(None, False), (0, False), (1, True)])
def test_container_is_over_once_its_first_process_has_ended(monkeypatch, container, ends, place, expected):
    monkeypatch.setattr(Container, "kill", lambda _: None)
    container.init = None if place is None else ends[place]

    assert container.is_over() == expected


class StubGroup:
    """Notes what it is asked for."""

    def __init__(self):
        self.calls = []

    def kill(self):
        self.calls.append("kill")

    def remove(self):
        self.calls.append("remove")
        return True


def test_container_is_gone_once_nothing_lives_and_its_group_is_removed(container):
    assert container.is_gone()
    container.group = StubGroup()

    assert container.is_gone()

    assert container.group.calls == ["remove"]


@pytest.mark.parametrize(("since", "calls"), [(0.0, ["kill"]), (float("inf"), [])])
def test_container_that_stays_too_long_is_killed_by_its_group(container, since, calls):
    container.group = StubGroup()
    container.child_lives, container.closing_since = True, since

    assert not container.is_gone()

    assert container.group.calls == calls
    container.group = None
    assert not container.is_gone()
