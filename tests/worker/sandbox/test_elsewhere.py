"""Reduced isolation without anything that only Linux has: what a macOS machine would serve with."""

import fcntl
import os
import resource

import pytest

from tests.worker.sandbox.runs import IDENTITY, call_job, returned
from tests.worker.sandbox.serving import server_here
from worker.sandbox import kernel, processes, templates
from worker.sandbox.job import Status
from worker.sandbox.launch import launch

LINUX_ONLY = (
    (os, "pidfd_open"),
    (os, "sched_getaffinity"),
    (resource, "prlimit"),
    (resource, "RLIMIT_MSGQUEUE"),
    (fcntl, "F_SETPIPE_SZ"),
)


def launch_elsewhere(_, *, environment):
    return launch("tests.worker.sandbox.elsewhere", environment=environment)


@pytest.fixture
def elsewhere(monkeypatch):
    """This process without what only Linux has."""
    monkeypatch.setattr(kernel, "IS_LINUX", False)
    for module, name in LINUX_ONLY:
        monkeypatch.delattr(module, name)


def test_plain_forks_serve_where_there_is_only_posix(elsewhere, monkeypatch, tmp_path):
    monkeypatch.setattr(templates, "launch", launch_elsewhere)

    with server_here(tmp_path, slots=1, allow_reduced=True) as (_, client):
        assert client.status()["mode"] == "reduced"
        assert returned(client.run(IDENTITY)) == IDENTITY.program.calls[0].args[0]
        loop = client.run(call_job("def f(x):\n    while True: pass\n", cpu_seconds=0.5))
        exit_ = client.run(call_job("import os\ndef f(x):\n    os._exit(3)\n"))

    assert loop.status == Status.TIMED_OUT
    assert exit_.status == Status.EXITED


def test_process_is_sampled_by_ps(elsewhere):
    found = processes.sample(os.getpid())

    assert found.memory_bytes > 1 << 20
    assert (found.cpu_seconds >= 0, found.tasks) == (True, 1)


def test_all_processors_are_counted(elsewhere):
    assert processes.processors() == os.cpu_count()


def test_process_that_is_no_more_has_no_sample(elsewhere, monkeypatch):
    assert processes.sample(2**22 + 1) is None


@pytest.mark.parametrize(
    ("text", "seconds"), [("0:01.25", 1.25), ("02:03", 123), ("01:00:00", 3600), ("2-00:00:01", 172_801)]
)
def test_time_of_ps_is_read(text, seconds):
    assert processes._seconds(text) == seconds


def test_what_cannot_be_had_is_left_out(elsewhere):
    processes.prefer_as_victim()
    processes.set_limit(os.getpid(), 0, soft=0, hard=0)
    processes.widen_pipe(-1, 0)

    assert processes.watch_end(os.getpid()) is None


def test_pipe_of_unknown_room_counts_as_a_small_one(elsewhere):
    assert processes.widen_pipe(-1, 1 << 20) == 1 << 14


@pytest.mark.parametrize(
    ("soft", "highest", "is_short"), [(1024, 959, False), (1024, 960, True), (resource.RLIM_INFINITY, 10**6, False)]
)
def test_descriptors_are_short_before_there_are_none(monkeypatch, soft, highest, is_short):
    monkeypatch.setattr(processes.resource, "getrlimit", lambda _: (soft, soft))

    assert processes.are_descriptors_short(highest) == is_short


@pytest.mark.parametrize("error", [None, ValueError, OSError])
def test_limit_on_descriptors_is_raised_as_far_as_it_may(monkeypatch, error):
    asked = []

    def limit(kind, values):
        asked.append((kind, values))
        if error:
            raise error

    monkeypatch.setattr(processes.resource, "getrlimit", lambda _: (1024, 4096))
    monkeypatch.setattr(processes.resource, "setrlimit", limit)

    processes.allow_descriptors()

    assert asked == [(resource.RLIMIT_NOFILE, (4096, 4096))]


def test_run_is_the_first_to_end_when_memory_is_short(monkeypatch, tmp_path):
    score = tmp_path / "oom_score_adj"
    score.touch()
    monkeypatch.setattr(processes, "OWN_SCORE", str(score))

    processes.prefer_as_victim()

    assert score.read_text() == "1000"


def test_limit_of_a_process_that_is_no_more_is_nothing():
    processes.set_limit(2**22 + 1, resource.RLIMIT_CPU, soft=1, hard=1)
