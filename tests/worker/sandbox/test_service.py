"""A runner of one's own: what its user is told when it does not start, and that it ends in any case."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from worker.sandbox import service
from worker.sandbox.job import RunnerUnavailableError

SAYS_WHY = "import sys; print('no namespaces here', file=sys.stderr); sys.exit(78)"
NEVER_READY = "import time; time.sleep(600)"
DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('x', flush=True); time.sleep(600)"


def runs(source, monkeypatch):
    monkeypatch.setattr(service, "runner_command", lambda *_, **__: [sys.executable, "-c", source])


def test_runner_that_refuses_says_why(monkeypatch):
    runs(SAYS_WHY, monkeypatch)

    with pytest.raises(RunnerUnavailableError, match="did not start: no namespaces here"), service.private_runner():
        pass


def test_runner_that_is_silent_is_told_by_its_status(monkeypatch):
    runs("import sys; sys.exit(3)", monkeypatch)

    with pytest.raises(RunnerUnavailableError, match="did not start: exit status 3"), service.private_runner():
        pass


def test_runner_that_is_never_ready_is_given_up(monkeypatch):
    runs(NEVER_READY, monkeypatch)
    monkeypatch.setattr(service, "_START_SECONDS", 0.1)

    with pytest.raises(RunnerUnavailableError, match="not ready after 0.1 s"), service.private_runner():
        pass


def test_runner_that_does_not_listen_to_signals_is_killed(monkeypatch):
    monkeypatch.setattr(service, "_STOP_SECONDS", 0.1)
    with subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE) as process:
        process.stdout.read(1)

        service._stop(process)

        assert process.returncode == -9


@pytest.mark.parametrize(
    ("options", "words"), [({}, []), ({"slots": 3, "allow_reduced": True}, ["--slots", "3", "--allow-reduced"])]
)
def test_command_names_what_was_asked_for(options, words, tmp_path):
    command = service.runner_command(tmp_path / "a.sock", **options)

    assert command[-len(words) - 2 :] == ["--socket", str(tmp_path / "a.sock"), *words]


def test_runner_that_is_slow_to_answer_is_asked_again(monkeypatch):
    answers = iter([RunnerUnavailableError("not yet"), None])
    pauses = []

    class Asked:
        def status(self):
            if (error := next(answers)) is not None:
                raise error

    class Alive:
        def poll(self):
            return None

    clock = SimpleNamespace(monotonic=lambda: 0.0, sleep=pauses.append)
    monkeypatch.setattr(service, "time", clock)

    service._wait_for(Asked(), Alive())

    assert len(pauses) == 1
