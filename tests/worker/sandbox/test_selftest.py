"""The runner's test of itself where the probe run is silent, ends early or speaks nonsense."""

import os
import signal
from types import SimpleNamespace

import pytest

from worker.sandbox import selftest
from worker.sandbox.containers import Container, open_pipes
from worker.sandbox.machine import Machine, Mode
from worker.sandbox.selftest import SelfTest
from worker.sandbox.tightness import Findings

MACHINE = Machine(mode=Mode.ROOT, groups=None, filter_program=b"x")


class StubPool:
    """Notes what it is asked for."""

    def __init__(self):
        self.calls = []

    def build(self, *, is_probe):
        self.calls.append(("build", is_probe))

    def claim(self, container):
        self.calls.append("claim")

    def discard(self, container):
        self.calls.append("discard")


@pytest.fixture
def probe():
    """The container of a probe, whose process is this one."""
    container = Container(name="run-1", place=0, template=None, pipes=open_pipes(), group=None, is_probe=True)
    container.child_pid = os.getpid()
    yield container
    container.close()


def why(test):
    """Why namespaces are said to be open."""
    return test.layers(MACHINE)[0].detail


def test_probe_is_asked_for():
    pool = StubPool()

    SelfTest(pool).start()

    assert pool.calls == [("build", True)]


def test_probe_that_does_not_answer_is_given_up(monkeypatch):
    test = SelfTest(StubPool())
    test.look()
    assert not test.is_over
    monkeypatch.setattr(selftest, "time", SimpleNamespace(monotonic=lambda: test._deadline + 1))

    test.look()

    assert (test.is_over, why(test)) == (True, "the probe run did not answer")


def test_probe_that_ended_before_its_answer_is_a_failure(probe):
    pool = StubPool()
    test = SelfTest(pool)
    os.write(probe.pipes.childs[3], b"{")
    probe.give_away()

    test.container_ready(probe)

    assert (test.is_over, why(test)) == (True, "the probe run said b'{'")
    assert pool.calls == ["claim", "discard"]


def test_probe_that_stays_silent_is_heard_until_the_deadline(probe, monkeypatch):
    test = SelfTest(StubPool())
    test._deadline = 1.0
    pauses = []
    clock = SimpleNamespace(monotonic=iter([0.0, 2.0]).__next__, sleep=pauses.append)
    monkeypatch.setattr(selftest, "time", clock)

    assert test._hear(probe) == b""
    assert len(pauses) == 1


def test_probe_is_heard_looked_at_and_let_go_on(probe):
    test = SelfTest(StubPool())
    os.write(probe.pipes.childs[3], b'{"attempts": {}, "environment": []}\n')

    test.container_ready(probe)

    assert (test.is_over, os.read(probe.pipes.childs[2], 9)) == (False, b"!")
    assert why(test).startswith("shared with the machine")


@pytest.mark.parametrize("members", [[], [1]])
def test_group_is_joined_if_the_probe_is_among_its_members(probe, members):
    test = SelfTest(StubPool())
    # Kernels before 6.1 have no counter of tasks that could tell.
    probe.group = SimpleNamespace(holds=lambda pid: pid == probe.child_pid and bool(members), remove=lambda: True)
    os.write(probe.pipes.childs[3], b'{"attempts": {}, "environment": []}\n')

    test.container_ready(probe)

    assert test._findings.joined_group == bool(members)


@pytest.mark.parametrize(("status", "expected"), [(signal.SIGSYS, 31), (0, 0), (None, 0)])
def test_end_of_the_probe_ends_the_test(probe, status, expected):
    pool = StubPool()
    test = SelfTest(pool)
    test._findings = Findings(
        namespaces={}, status={}, root_options="", descriptors=[], joined_group=False, attempts={}, environment=[]
    )
    probe.wait_status = status

    test.child_ended(probe)

    assert (test.is_over, test._findings.end_signal, pool.calls) == (True, expected, ["discard"])


def test_probe_that_ends_without_having_been_heard_leaves_no_findings(probe):
    test = SelfTest(StubPool())

    test.child_ended(probe)

    assert (test.is_over, test._findings) == (True, None)
