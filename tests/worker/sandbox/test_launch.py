"""Where a started program stands among others."""

import os
from pathlib import Path

import pytest

from tests.worker.sandbox.test_pool import stub_program
from worker.sandbox import launch


@pytest.fixture
def program():
    started, end = stub_program()
    yield started
    started.end()
    end.close()


def test_program_and_its_session_get_a_niceness(program):
    group = Path(f"/proc/{program.process.pid}/autogroup")
    before = os.getpriority(os.PRIO_PROCESS, program.process.pid)

    program.stand_at(before + 3)

    assert os.getpriority(os.PRIO_PROCESS, program.process.pid) == before + 3
    if group.exists():
        assert group.read_text().split()[-2:] == ["nice", str(before + 3)]


def test_program_that_cannot_be_started_leaves_no_descriptor(monkeypatch):
    opened = []

    def refuse(*_, **options):
        opened.extend(options["pass_fds"])
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(launch.subprocess, "Popen", refuse)

    with pytest.raises(launch.LaunchError, match="maker could not be started: .*temporarily"):
        launch.launch("worker.sandbox.maker", environment={})

    (theirs,) = opened
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(theirs)


def test_program_that_may_not_be_brought_forward_stays(program, monkeypatch, tmp_path):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(launch.os, "setpriority", refuse)
    monkeypatch.setattr(launch, "PROC", tmp_path)

    program.stand_at(-10)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("own", "usual"), [(-10, 0), (0, 0), (5, 5)])
def test_what_serves_runs_stands_never_before_others(monkeypatch, own, usual):
    monkeypatch.setattr(launch.os, "getpriority", lambda *_: own)

    assert (launch.own_niceness(), launch.usual_niceness()) == (own, usual)
