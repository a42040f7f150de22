"""Whatever dies, nothing is left behind, and whoever waits is told."""

import contextlib
import os
import signal
import subprocess
import sys
import threading

import pytest

from tests.worker.sandbox.runs import (
    IDENTITY,
    NUMBERS,
    InBackground,
    call_job,
    descendants,
    group_folders,
    is_alive,
    is_root,
    mount_count,
    returned,
    wait_until,
)
from worker.sandbox import maker, template
from worker.sandbox.client import Client
from worker.sandbox.job import RunnerUnavailableError, Status
from worker.sandbox.launch import PROJECT
from worker.sandbox.service import RUNNER_ENVIRONMENT, private_runner, runner_command

pytestmark = pytest.mark.sandbox

LOOP = call_job("def f(x):\n    while True: pass\n", cpu_seconds=30.0)
ANSWERS_THEN_LOOPS = call_job(
    """
    seen = []
    def f(x):
        while seen: pass
        seen.append(x)
    """,
    visible=2,
    cpu_seconds=30.0,
)


@contextlib.contextmanager
def runner_process(folder, *, command=None):
    """A runner started as the supervisor does it, and a client; ended at the end if it lives."""
    path = folder / "runner.sock"
    process = subprocess.Popen(command or runner_command(path), cwd=PROJECT, env=RUNNER_ENVIRONMENT)
    client = Client(path)
    try:
        wait_until(lambda: answers(client), seconds=60)
        yield process, client
    finally:
        process.terminate()
        process.wait(timeout=60)


def answers(client):
    try:
        client.status()
    except RunnerUnavailableError:
        return False
    return True


def test_killed_runner_leaves_nothing(tmp_path):
    mounts = mount_count()
    with runner_process(tmp_path) as (process, client):
        job = InBackground(client.run, LOOP)
        wait_until(lambda: client.status()["running"] == 1)
        family = descendants(process.pid)

        process.kill()

        with pytest.raises(RunnerUnavailableError):
            job.answer()
    assert len(family) > 4
    wait_until(lambda: not any(is_alive(pid) for pid in family))
    wait_until(lambda: not group_folders(process.pid))
    assert mount_count() == mounts


def test_terminated_runner_leaves_nothing(tmp_path):
    with runner_process(tmp_path) as (process, client):
        job = InBackground(client.run, LOOP)
        wait_until(lambda: client.status()["running"] == 1)
        family = descendants(process.pid)

        process.terminate()

        assert process.wait(timeout=20) == 0
        with pytest.raises(RunnerUnavailableError):
            job.answer()
    assert not any(is_alive(pid) for pid in family)
    assert not group_folders(process.pid)
    assert list(tmp_path.iterdir()) == []


def test_runner_that_is_terminated_while_it_starts_ends_without_a_fault(tmp_path):
    starting = subprocess.Popen(
        runner_command(tmp_path / "runner.sock"), cwd=PROJECT, env=RUNNER_ENVIRONMENT, stderr=subprocess.PIPE, text=True
    )
    # Its maker was started just before: its handlers are set, and the warm program is far from ready.
    wait_until(lambda: len(descendants(starting.pid)) > 1)
    family = descendants(starting.pid)

    starting.terminate()
    _, said = starting.communicate(timeout=60)

    assert (starting.returncode, "ERROR" in said) == (0, False)
    assert not any(is_alive(pid) for pid in family)
    assert not group_folders(starting.pid)


def test_runner_ends_with_its_parent(tmp_path):
    path = tmp_path / "runner.sock"
    starter = (
        "import subprocess, sys, time\n"
        f"process = subprocess.Popen({runner_command(path)!r})\n"
        "print(process.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-c", starter]
    parent = subprocess.Popen(command, cwd=PROJECT, env=RUNNER_ENVIRONMENT, stdout=subprocess.PIPE, text=True)
    with parent:
        pid = int(parent.stdout.readline())
        wait_until(lambda: answers(Client(path)), seconds=60)
        family = {pid} | descendants(pid)

        parent.kill()

    wait_until(lambda: not any(is_alive(member) for member in family))
    wait_until(lambda: not group_folders(pid))


def program_of(pid, name):
    """The one process below `pid` whose command line names this module."""
    found = []
    for child in descendants(pid):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{child}/cmdline") as file:
            words = file.read().split("\0")
            with open(f"/proc/{child}/stat") as stat:
                parent = int(stat.read().rpartition(")")[2].split()[1])
            if f"worker.sandbox.{name}" in words and parent == pid:
                found.append(child)
    (only,) = found
    return only


@pytest.mark.parametrize("name", ["template", "maker"])
def test_dead_helper_is_replaced_and_its_runs_are_our_fault(tmp_path, name):
    with runner_process(tmp_path) as (process, client):
        heard = threading.Event()
        job = InBackground(client.run, ANSWERS_THEN_LOOPS, lambda _: heard.set())
        assert heard.wait(30)

        os.kill(program_of(process.pid, name), signal.SIGKILL)

        with pytest.raises(RunnerUnavailableError, match="died during the run"):
            job.answer()
        assert client.run(IDENTITY).status == Status.FINISHED
        assert process.poll() is None


def is_at_rest(client):
    status = client.status()
    return status["containers"]["ready"] == 2 * status["slots"] and not status["containers"]["closing"]


def test_template_killed_while_idle_is_not_noticed_by_the_next_job(tmp_path):
    with runner_process(tmp_path) as (process, client):
        # A child that is still being set up holds a copy of the channel, by whose end the death is heard.
        wait_until(lambda: is_at_rest(client))

        template_pid = program_of(process.pid, "template")
        os.kill(template_pid, signal.SIGKILL)
        wait_until(lambda: not is_alive(template_pid))
        # Its death is heard in the turn that answers this, at the latest.
        client.status()

        assert client.run(IDENTITY).status == Status.FINISHED


def traces(process):
    """Processes, descriptors, mounts and groups of a runner."""
    groups = sum(len([path for path in folder.iterdir() if path.is_dir()]) for folder in group_folders(process.pid))
    return len(descendants(process.pid)), len(os.listdir(f"/proc/{process.pid}/fd")), mount_count(), groups


def test_run_leaves_no_process_group_or_mount(tmp_path):
    with runner_process(tmp_path) as (process, client):
        wait_until(lambda: is_at_rest(client))
        before = traces(process)

        for source in ("return x", "import os; os._exit(1)", "raise SystemExit", "while True: pass"):
            client.run(call_job(f"def f(x):\n    {source}\n", cpu_seconds=0.2))

        wait_until(lambda: is_at_rest(client))
        assert traces(process) == before


def test_runner_with_fewer_descriptors_than_its_reserve_takes_serves_with_a_smaller_one(tmp_path):
    few = ["sh", "-c", 'ulimit -Sn 100 && ulimit -Hn 160 && exec "$@"', "sh"]
    with runner_process(tmp_path, command=[*few, *runner_command(tmp_path / "runner.sock", slots=16)]) as running:
        process, client = running
        limits = NUMBERS / str(process.pid) / "limits"
        assert "160" in next(line for line in limits.read_text().splitlines() if "open files" in line)

        jobs = [InBackground(client.run, IDENTITY) for _ in range(20)]

        assert [job.answer().status for job in jobs] == [Status.FINISHED] * 20
        wait_until(lambda: not client.status()["containers"]["closing"])
        assert 0 < client.status()["containers"]["ready"] < 32
        assert process.poll() is None


def test_client_that_leaves_ends_its_run(tmp_path):
    with runner_process(tmp_path) as (_, client):
        script = (
            f"import sys; sys.path.insert(0, {str(PROJECT)!r})\n"
            "from pathlib import Path\n"
            "from worker.sandbox.client import Client\n"
            "from tests.worker.sandbox.test_runner_death import LOOP\n"
            f"Client(Path({str(tmp_path / 'runner.sock')!r})).run(LOOP)\n"
        )
        leaving = subprocess.Popen([sys.executable, "-c", script], cwd=PROJECT)
        wait_until(lambda: client.status()["running"] == 1, seconds=30)

        leaving.kill()
        leaving.wait()

        wait_until(lambda: client.status()["running"] == 0)
        assert client.status()["served"] == 0


def test_two_runners_side_by_side_do_not_meet(tmp_path):
    with private_runner() as one, private_runner() as other:
        first, second = InBackground(one.run, LOOP), InBackground(other.run, IDENTITY)

        assert second.answer().status == Status.FINISHED
        assert one.status()["pid"] != other.status()["pid"]
        assert returned(one.run(IDENTITY)) == returned(other.run(IDENTITY))
        del first


def test_private_runner_is_gone_after_its_block():
    with private_runner(slots=1) as client:
        pid = client.status()["pid"]
        assert client.status()["slots"] == 1
        assert client.run(IDENTITY).status == Status.FINISHED

    assert not is_alive(pid)
    assert not group_folders(pid)
    with pytest.raises(RunnerUnavailableError, match="no runner answers"):
        client.run(IDENTITY)


def test_stale_socket_is_replaced(tmp_path):
    (tmp_path / "runner.sock").touch()

    with runner_process(tmp_path) as (_, client):
        assert client.run(IDENTITY).status == Status.FINISHED


@pytest.mark.parametrize(
    ("name", "kept"), [("template", template.KEPT), ("maker", maker.KEPT if is_root() else maker.KEPT_BY_USERS)]
)
def test_helper_keeps_only_the_rights_that_it_needs(tmp_path, name, kept):
    with runner_process(tmp_path) as (process, client):
        wait_until(lambda: is_at_rest(client))

        with open(f"/proc/{program_of(process.pid, name)}/status") as file:
            status = dict(line.split(":", 1) for line in file if ":" in line)

    assert {int(status[field], 16) for field in ("CapPrm", "CapEff", "CapBnd")} == {int(kept)}
    assert {int(status[field], 16) for field in ("CapInh", "CapAmb")} == {0}
    assert status["NoNewPrivs"].strip() == "1"
