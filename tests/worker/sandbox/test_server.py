"""The runner's loop in this process: what strangers send, what breaks, what grows old."""

import contextlib
import os
import signal
import socket
import time
from pathlib import Path

import pytest

from tests.worker.sandbox.runs import IDENTITY, InBackground, call_job, is_root, wait_until
from tests.worker.sandbox.serving import server_here
from worker.sandbox import containers, pool, templates
from worker.sandbox.cgroups import GroupsV1
from worker.sandbox.commands import PROTOCOL, job_frame, job_frames
from worker.sandbox.frames import Frame, FrameReader, encode_frame
from worker.sandbox.isolation import Scratch
from worker.sandbox.job import MEBIBYTE, RunnerUnavailableError, Status
from worker.sandbox.layout import Layout
from worker.sandbox.machine import explore
from worker.sandbox.pool import HelperDiedError
from worker.sandbox.server import Server
from worker.sandbox.tightness import OpenLayerError

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(not is_root(), reason="anyone else would enter a user namespace: not in a test process"),
]

LOOP = call_job("def f(x):\n    while True: pass\n", cpu_seconds=20.0)


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    with server_here(tmp_path_factory.mktemp("server")) as (server, client):
        yield server, client


@pytest.fixture(scope="module")
def narrow(tmp_path_factory):
    """A server of one slot."""
    with server_here(tmp_path_factory.mktemp("narrow"), slots=1) as (server, client):
        yield server, client


def said(client, data):
    """All that the runner answers to these bytes."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(client._path))
        connection.sendall(data)
        reader, frames = FrameReader(max_header=1 << 20, max_body=1 << 30), []
        while data := connection.recv(65_536):
            frames += reader.feed(data)
    return frames


def header(**changes):
    commands = job_frames(IDENTITY)
    frame = job_frame(IDENTITY, commands)
    return b"".join(encode_frame(item) for item in (Frame(header={**frame.header, **changes}), *commands))


@pytest.mark.parametrize(
    "data",
    [
        encode_frame(Frame(header={"kind": "job"})),
        encode_frame(Frame(header={"kind": "unknown", "frames": 0})),
        encode_frame(Frame(header={"kind": "job", "frames": "many"})),
        header(lane="express"),
        header(limits={}),
        header(hidden_from=0),
        b"\xff\xff\xff\xff",
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
def test_request_that_is_not_understood_is_answered_and_the_next_served(here, data):
    _, client = here

    (answer,) = said(client, data)

    assert answer.kind == "fault"
    assert client.run(IDENTITY).status == Status.FINISHED


@pytest.mark.parametrize("version", [PROTOCOL + 1, PROTOCOL - 1, None])
def test_job_of_another_release_is_refused_by_its_version_and_runs_nowhere(here, version):
    _, client = here
    served = client.status()["served"]

    (answer,) = said(client, header(protocol=version, unheard_of="field"))

    expected = f"not understood: expected version {PROTOCOL} of the protocol, found {version}"
    assert answer.header == {"kind": "fault", "protocol": PROTOCOL, "message": expected}
    assert client.status()["served"] == served


def test_old_template_is_replaced_and_no_job_notices(here, monkeypatch):
    server, client = here
    old = server._pool._templates._warm.program.process.pid
    job = InBackground(client.run, call_job("import time\ndef f(x):\n    time.sleep(6)\n    return 1\n"))
    wait_until(lambda: client.status()["running"] == 1)

    monkeypatch.setattr(templates, "TEMPLATE_FORKS", 1)
    wait_until(lambda: server._pool._templates._warm.program.process.pid != old, seconds=60)
    monkeypatch.undo()

    assert client.run(IDENTITY).status == Status.FINISHED
    assert job.answer().status == Status.FINISHED
    wait_until(lambda: server._pool._templates._retired == [], seconds=60)
    # The group of the old one too.
    wait_until(lambda: len(template_groups(server)) == 1)


def template_groups(server):
    """Names of the groups that warm programs have, whatever hierarchy they are in."""
    return {path.name for folder in server._machine.groups.folders() for path in Path(folder).glob("template-*")}


def test_template_that_dies_while_it_warms_up_as_the_next_one_is_started_again(here, monkeypatch):
    server, client = here
    kept = server._pool._templates
    monkeypatch.setattr(templates, "TEMPLATE_SECONDS", 0.0)
    wait_until(lambda: kept._next is not None)
    first = kept._next.program.process.pid

    os.kill(first, signal.SIGKILL)

    wait_until(
        lambda: server._pool._templates._next is not None and server._pool._templates._next.program.process.pid != first
    )
    monkeypatch.undo()
    assert client.run(IDENTITY).status == Status.FINISHED


def test_client_that_leaves_while_it_waits_is_forgotten(narrow):
    _, client = narrow
    running = InBackground(client.run, call_job("def f(x):\n    while True: pass\n", cpu_seconds=3.0))
    wait_until(lambda: client.status()["running"] == 1)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(client._path))
        connection.sendall(header())
        wait_until(lambda: client.status()["waiting"] == 1)

    wait_until(lambda: client.status()["waiting"] == 0)
    assert running.answer().status == Status.TIMED_OUT


def test_client_that_leaves_ends_its_run(here):
    _, client = here
    commands = job_frames(LOOP)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(client._path))
        connection.sendall(b"".join(encode_frame(frame) for frame in (job_frame(LOOP, commands), *commands)))
        wait_until(lambda: client.status()["running"] == 1)

    wait_until(lambda: client.status()["running"] == 0)


def test_runs_come_before_submissions_and_regrades(narrow):
    _, client = narrow
    order = []
    blocker = InBackground(client.run, call_job("def f(x):\n    while True: pass\n", cpu_seconds=2.0))
    wait_until(lambda: client.status()["running"] == 1)
    jobs = []
    for number, lane in enumerate(("regrade", "submission", "run")):
        job = call_job("def f(x):\n    return 1\n", lane=lane)
        jobs.append(InBackground(client.run, job, lambda _, lane=lane: order.append(lane)))
        wait_until(lambda number=number: client.status()["waiting"] == number + 1)

    for job in (blocker, *jobs):
        job.answer()

    assert order == ["run", "submission", "regrade"]


def test_server_that_stops_leaves_those_who_wait_to_try_again(tmp_path):
    with server_here(tmp_path, slots=1) as (_, client):
        running, waiting = InBackground(client.run, LOOP), InBackground(client.run, LOOP)
        wait_until(lambda: client.status()["waiting"] == 1)

    for job in (running, waiting):
        with pytest.raises(RunnerUnavailableError):
            job.answer()


def test_server_that_stops_leaves_nobody_hanging_who_has_not_asked_yet(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        with server_here(tmp_path, slots=1) as (server, client):
            connection.connect(str(client._path))
            wait_until(lambda: len(server._connections) == 1)

        assert connection.recv(1) == b""


def use_up_reserve(server, client):
    """Run jobs until one needs a container that is made from now on."""
    for _ in range(4 * server._pool.reserve):
        client.run(IDENTITY)


def test_container_that_cannot_be_made_is_our_fault(here, monkeypatch):
    server, client = here
    # The kernel takes no negative number.
    monkeypatch.setattr(pool, "SCRATCH", Scratch(size_bytes=4096, inodes=1 << 63))

    with pytest.raises(RunnerUnavailableError, match="no container could be made"):
        use_up_reserve(server, client)

    monkeypatch.undo()
    # What was asked for before may still fail.
    wait_until(lambda: client.status()["containers"]["ready"])
    assert client.run(IDENTITY).status == Status.FINISHED


def test_after_failures_in_a_row_those_who_wait_are_told(narrow):
    server, client = narrow
    running = InBackground(client.run, call_job("def f(x):\n    while True: pass\n", cpu_seconds=3.0))
    wait_until(lambda: client.status()["running"] == 1)
    waiting = InBackground(client.run, IDENTITY)
    wait_until(lambda: client.status()["waiting"] == 1)

    server._failures = 4
    server.container_failed("run-1", "as in a test", is_probe=False)

    with pytest.raises(RunnerUnavailableError, match="as in a test"):
        waiting.answer()
    assert running.answer().status == Status.TIMED_OUT


def test_stuck_container_is_killed_by_its_group_and_logged(here, monkeypatch, caplog):
    server, client = here
    monkeypatch.setattr(pool, "STUCK_SECONDS", 0.0)
    monkeypatch.setattr(containers, "STUCK_SECONDS", 0.0)

    client.run(IDENTITY)

    wait_until(lambda: "is not gone after" in caplog.text)
    monkeypatch.undo()
    assert client.run(IDENTITY).status == Status.FINISHED


def test_helper_that_dies_again_and_again_ends_the_runner():
    # One that serves nobody: a container that gets ready ends the row.
    server = Server(explore(), slots=1, allow_reduced=True)
    try:
        for _ in range(4):
            server._pool._count_death("template")

        with pytest.raises(HelperDiedError, match="died 5 times"):
            server._pool._count_death("template")
    finally:
        server.close()


def test_self_killed_run_is_the_students(here):
    _, client = here
    source = "import ctypes\ndef f(x):\n    ctypes.CDLL(None).syscall(234, 2, 2, 9)\n"

    report = client.run(call_job(source))

    assert report.status == Status.CRASHED
    assert "SIGKILL" in report.detail


@contextlib.contextmanager
def short_of_memory(groups, size_bytes):
    """All groups of a runner together may have this much more than they have, as where the machine is short of it."""
    names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "-1")
    names = names if isinstance(groups, GroupsV1) else ("memory.max", "memory.current", "max")
    (folder,) = [Path(name) for name in groups.folders() if (Path(name) / names[0]).exists()]
    (folder / names[0]).write_text(str(int((folder / names[1]).read_text()) + size_bytes))
    try:
        yield
    finally:
        (folder / names[0]).write_text(names[2])


def test_run_that_is_killed_for_memory_that_others_lack_is_our_fault(here):
    server, client = here
    source = "import torch\ndef f(x):\n    if x: return float(torch.ones(75 << 20).sum())\n    return 0\n"
    modest = call_job(source, args=(0,))
    greedy = call_job(source, args=(1,), cpu_seconds=20.0)

    with short_of_memory(server._machine.groups, 100 * MEBIBYTE):
        assert client.run(modest).status == Status.FINISHED
        with pytest.raises(RunnerUnavailableError, match="ran out of memory"):
            client.run(greedy)

    assert client.run(greedy).status == Status.FINISHED


def test_flood_with_small_pipes_meets_its_own_limit_first(narrow, monkeypatch):
    server, client = narrow
    # As much as the kernel gives a user who has many.
    monkeypatch.setattr(containers, "PIPE_BYTES", 4096)
    flood = call_job("def f(x):\n    while True: print('flood' * 100)\n", printed_bytes=2 * MEBIBYTE, cpu_seconds=1.0)

    # Those that wait in the reserve have large ones.
    for _ in range(2 * server._pool.reserve):
        client.run(IDENTITY)

    report = client.run(flood)

    # At the usual pace these are 10 s of looks, and the wall limit is 5 s.
    assert report.status == Status.OUTPUT_TOO_LARGE


def test_slow_client_gets_everything(here):
    _, client = here
    commands = job_frames(call_job("import torch\ndef f(x):\n    return torch.ones(1 << 20)\n"))
    job = call_job("", visible=1)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(client._path))
        connection.sendall(b"".join(encode_frame(frame) for frame in (job_frame(job, commands), *commands)))
        time.sleep(1)
        reader, frames = FrameReader(max_header=1 << 20, max_body=1 << 30), []
        while data := connection.recv(65_536):
            frames += reader.feed(data)

    assert frames[-1].kind == "report"
    assert sum(len(frame.body) for frame in frames) > 4 * MEBIBYTE


def test_open_layer_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("worker.sandbox.tightness.TEMPLATE_ENVIRONMENT", {})

    with pytest.raises(OpenLayerError, match="empty environment: open"), server_here(tmp_path):
        pass


def test_template_that_is_not_ready_in_time_is_a_fault(tmp_path, monkeypatch):
    monkeypatch.setattr("worker.sandbox.server._START_SECONDS", 0.01)

    with pytest.raises(Exception, match="was not ready after"), server_here(tmp_path):
        pass


def test_machine_without_namespaces_serves_with_reduced_isolation(tmp_path, monkeypatch):
    nowhere = Layout(binds=(("/does/not/exist", "/python"),))
    monkeypatch.setattr(pool, "choose_layout", lambda _: nowhere)

    with server_here(tmp_path, allow_reduced=True, machine=explore()) as (_, client):
        assert client.status()["mode"] == "reduced"
        assert client.run(IDENTITY).status == Status.FINISHED
