"""A part of the product: a program that the supervisor keeps running, and the process that runs it now."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from worker.lifeline import die_with_parent

READ_BYTES = 65536
LONGEST_LINE = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What to start. Parts of a higher `stage` need those of lower ones, and are stopped before them."""

    name: str
    command: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str]
    stage: int
    stop_seconds: float
    umask: int = 0o077
    descriptors: tuple[int, ...] = ()


class Process:
    """A part that runs: its own session, its output on a pipe, killed by the kernel when we die."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.started_at = time.monotonic()
        self.has_closed_output = False
        self._rest = b""
        self._popen = subprocess.Popen(
            part.command,
            cwd=part.folder,
            env=dict(part.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=part.umask,
            pass_fds=part.descriptors,
            # Safe, since the supervisor has one thread.
            preexec_fn=partial(die_with_parent, os.getpid()),
        )
        assert self._popen.stdout is not None
        self.output = self._popen.stdout
        os.set_blocking(self.output.fileno(), False)

    @property
    def pid(self) -> int:
        return self._popen.pid

    def lines(self) -> list[str]:
        """The lines that have come since the last call; control characters are replaced."""
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self.output.fileno(), READ_BYTES)
            self.has_closed_output = not chunk
            self._rest += chunk
        *whole, self._rest = self._rest.split(b"\n")
        if self._rest and (self.has_closed_output or len(self._rest) > LONGEST_LINE):
            whole.append(self._rest)
            self._rest = b""
        return [_printable(line) for line in whole]

    def ended(self) -> str | None:
        """How it ended, in words, or nothing while it runs. What it left of its own processes is killed."""
        if self._popen.returncode is None:
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                return None
            # Before the process is reaped: until then nobody else can have its group's number.
            self.kill()
            self._popen.wait()
        code = self._popen.returncode
        return f"ended with status {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"

    def terminate(self) -> None:
        """Ask it to stop."""
        if self._popen.returncode is None:
            self._popen.terminate()

    def kill(self) -> None:
        """End it and all of its process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


def _printable(line: bytes) -> str:
    text = line[:LONGEST_LINE].decode(errors="replace")
    return "".join(character if character.isprintable() or character == "\t" else "�" for character in text)
