"""A runner for a command: the one that is there, else a private one for as long as the command takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from worker.sandbox.client import Client
from worker.sandbox.job import SandboxError
from worker.sandbox.service import private_runner


@contextmanager
def any_runner(socket: Path) -> Iterator[Client]:
    """Yields a client of the runner on `socket` if it answers, else of a private one. Raises: SandboxError."""
    client = Client(socket)
    try:
        client.status()
    except SandboxError:
        with private_runner() as private:
            yield private
    else:
        yield client
