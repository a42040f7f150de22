import os
import signal
import stat
import subprocess
import sys

import pytest

from worker.sandbox import machine as machine_
from worker.sandbox import runner as runner_
from worker.sandbox.filter import FilterUnavailableError, compiled_filter
from worker.sandbox.job import SandboxError
from worker.sandbox.machine import Mode, explore
from worker.sandbox.pool import HelperDiedError
from worker.sandbox.server import StoppedError
from worker.sandbox.template import NotSingleThreadedError, require_one_task
from worker.sandbox.tightness import OpenLayerError


class StubServer:
    """Stands in for the loop: starts, serves or fails as told."""

    def __init__(self, *, error=None, fails_serving=False):
        self._error, self._fails_serving = error, fails_serving
        self.calls = []

    def __call__(self, _, *, slots, allow_reduced):
        self.calls.append((slots, allow_reduced))
        return self

    def watch(self, wakeups):
        self._wakeups = wakeups

    def start(self):
        if self._error and not self._fails_serving:
            raise self._error

    def listen(self, listener):
        self.calls.append("listen")

    def serve(self):
        if self._error:
            raise self._error
        os.kill(os.getpid(), signal.SIGTERM)
        self._wakeups.recv(1)

    def stop(self):
        self.calls.append("stop")

    def close(self):
        self.calls.append("close")
        self._wakeups.close()


@pytest.fixture
def start(monkeypatch, tmp_path):
    """Runs `main` with a stub in place of the loop and without touching the signals of the test process for good."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    monkeypatch.setattr(runner_, "explore", lambda: machine_.Machine(mode=Mode.ROOT, groups=None, filter_program=b""))
    monkeypatch.setattr(runner_.kernel, "die_with_parent", lambda _: None)
    monkeypatch.setattr(runner_.kernel, "set_name", lambda _: None)
    monkeypatch.setattr(runner_.os, "setpriority", lambda *_: None)
    monkeypatch.setattr(runner_, "allow_descriptors", lambda: None)

    def run(server, *arguments):
        monkeypatch.setattr(runner_, "Server", server)
        return runner_.main(["--socket", str(tmp_path / "runner.sock"), *arguments])

    yield run
    wakeups = signal.set_wakeup_fd(-1)
    # A runner without a parent has not come so far.
    if wakeups != -1:
        os.close(wakeups)
    for number, handler in before.items():
        signal.signal(number, handler)


def test_runner_serves_until_a_signal(start, tmp_path):
    server = StubServer()

    assert start(server, "--slots", "3", "--allow-reduced") == 0

    assert server.calls == [(3, True), "listen", "stop", "close"]
    assert not (tmp_path / "runner.sock").exists()


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OpenLayerError([]), runner_.REFUSED_STATUS),
        (HelperDiedError("the maker died 5 times in a row"), runner_.FAULT_STATUS),
        (SandboxError("the warm program was not ready"), runner_.FAULT_STATUS),
        (StoppedError("asked to end"), 0),
    ],
    ids=["open layer", "dying helpers", "not warm", "stopped"],
)
def test_status_tells_why_the_runner_did_not_serve(start, error, status):
    assert start(StubServer(error=error)) == status


def test_runner_whose_helpers_keep_dying_while_it_serves_ends_with_a_fault(start):
    assert start(StubServer(error=HelperDiedError("died"), fails_serving=True)) == runner_.FAULT_STATUS


@pytest.mark.parametrize("arguments", [[], ["--socket", "x", "--slots", "0"], ["--socket", "x", "--slots", "many"]])
def test_command_line_that_is_not_understood_is_refused(arguments, capsys):
    with pytest.raises(SystemExit) as refusal:
        runner_.parse(arguments)

    assert refusal.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_socket_is_for_its_owner_alone(tmp_path):
    path = tmp_path / "runner.sock"

    with runner_.listening(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600

    assert not path.exists()


def test_machine_without_linux_is_reduced(monkeypatch):
    monkeypatch.setattr(machine_.kernel, "IS_LINUX", False)

    assert explore().mode == Mode.REDUCED


def test_machine_without_libseccomp_says_so(monkeypatch):
    def refuse():
        raise FilterUnavailableError("none here")

    monkeypatch.setattr(machine_, "compiled_filter", refuse)
    monkeypatch.setattr(machine_.kernel, "IS_LINUX", False)

    assert explore().filter_error == "none here"


def unprivileged(monkeypatch, tmp_path, unshare):
    (tmp_path / "self").mkdir()
    (tmp_path / "self/uid_map").write_text("0 0 1\n")
    monkeypatch.setattr(machine_, "find_groups", lambda **_: None)
    monkeypatch.setattr(machine_.kernel, "unshare", unshare)
    return explore(proc=tmp_path)


def test_user_becomes_root_over_the_own_id_alone(monkeypatch, tmp_path):
    monkeypatch.setattr(machine_, "_CONTAINER_MARKS", ())

    found = unprivileged(monkeypatch, tmp_path, lambda _: None)

    assert (found.mode, found.outer_base, found.has_groups) == (Mode.USER, None, False)
    assert (tmp_path / "self/setgroups").read_text() == "deny"
    assert (tmp_path / "self/uid_map").read_text() == f"0 {os.geteuid()} 1"


def test_user_who_may_not_make_namespaces_is_reduced(monkeypatch, tmp_path):
    def refuse(_):
        raise PermissionError(1, "Operation not permitted")

    found = unprivileged(monkeypatch, tmp_path, refuse)

    assert found.mode == Mode.REDUCED
    assert "not permitted" in found.namespace_error


def test_warm_program_with_two_tasks_is_refused(tmp_path):
    for task in ("1", "2"):
        (tmp_path / "self/task" / task).mkdir(parents=True)

    with pytest.raises(NotSingleThreadedError, match="2 tasks, 1 expected"):
        require_one_task(own=str(tmp_path / "self/task"))


def test_filter_is_the_same_each_time():
    assert compiled_filter() == compiled_filter()
    assert len(compiled_filter()) % 8 == 0


def test_importing_the_runner_loads_neither_torch_nor_django():
    script = "import sys, worker.sandbox.runner, worker.sandbox.maker, worker.sandbox.service; print(*sys.modules)"

    loaded = subprocess.check_output([sys.executable, "-c", script], text=True).split()

    assert not {"torch", "numpy", "django", "celery", "exercises", "graders"} & set(loaded)


def test_runner_whose_parent_is_gone_does_not_start(start, monkeypatch):
    parents = iter([4321, 1])
    monkeypatch.setattr(runner_.os, "getppid", parents.__next__)
    server = StubServer()

    assert start(server) == 0

    assert server.calls == []


def test_runner_that_may_not_go_first_and_where_there_is_no_linux_serves_all_the_same(start, monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(runner_.os, "setpriority", refuse)
    monkeypatch.setattr(runner_.kernel, "IS_LINUX", False)
    server = StubServer()

    assert start(server) == 0

    assert server.calls[-1] == "close"


def test_filter_cannot_be_had_without_libseccomp(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyseccomp", None)

    with pytest.raises(FilterUnavailableError, match="libseccomp cannot be loaded"):
        compiled_filter.__wrapped__()
