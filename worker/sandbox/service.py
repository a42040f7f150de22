"""A runner of one's own, for commands, tests and measurements: started in a temporary folder, ended with its user."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from worker.sandbox.client import Client
from worker.sandbox.environment import MAKER_ENVIRONMENT
from worker.sandbox.job import RunnerUnavailableError
from worker.sandbox.launch import PROJECT

_START_SECONDS = 120.0
_STOP_SECONDS = 15.0


def runner_command(socket_path: Path, *, slots: int | None = None, allow_reduced: bool = False) -> list[str]:
    """The command that starts a runner at this socket; to be run in `PROJECT` with `RUNNER_ENVIRONMENT`."""
    command = [sys.executable, "-s", "-m", "worker.sandbox.runner", "--socket", str(socket_path)]
    if slots is not None:
        command += ["--slots", str(slots)]
    return command + (["--allow-reduced"] if allow_reduced else [])


RUNNER_ENVIRONMENT = MAKER_ENVIRONMENT


@contextlib.contextmanager
def private_runner(*, slots: int | None = None, allow_reduced: bool = False) -> Iterator[Client]:
    """A client of a runner that lives as long as the block.

    Raises:
        RunnerUnavailableError: the runner refused to start; the message is what it said.
    """
    with tempfile.TemporaryDirectory(prefix="quizsite-runner-") as folder, tempfile.TemporaryFile() as said:
        path = Path(folder) / "runner.sock"
        command = [*runner_command(path, slots=slots, allow_reduced=allow_reduced), "--log-level", "WARNING"]
        process = subprocess.Popen(
            command, cwd=PROJECT, env=RUNNER_ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
        try:
            client = Client(path)
            _wait_for(client, process)
            yield client
        except _NotStartedError as error:
            said.seek(0)
            text = said.read().decode(errors="replace").strip()
            raise RunnerUnavailableError(f"the runner did not start: {text or error}") from error
        finally:
            _stop(process)


class _NotStartedError(Exception):
    """The runner ended, or took too long."""


def _wait_for(client: Client, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise _NotStartedError(f"exit status {process.returncode}")
        with contextlib.suppress(RunnerUnavailableError):
            client.status()
            return
        time.sleep(0.02)
    raise _NotStartedError(f"not ready after {_START_SECONDS:g} s")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
