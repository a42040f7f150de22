"""Starting the maker and the warm program: fresh programs with a fixed environment and one inherited descriptor."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from worker.sandbox.channel import Channel, channel_pair
from worker.sandbox.job import SandboxError
from worker.sandbox.processes import PROC

PROJECT = Path(__file__).resolve().parents[2]


class LaunchError(SandboxError):
    """A program could not be started: the system has no room for it."""


@dataclass(frozen=True, slots=True)
class Program:
    """A started program and our end of the channel to it."""

    process: subprocess.Popen[bytes]
    channel: Channel

    def stand_at(self, niceness: int) -> None:
        """Give it this niceness; nothing where that would bring it forward and only root may.

        Linux may weigh sessions against each other and niceness within one alone: each program is a session.
        """
        pid = self.process.pid
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, pid, niceness)
        with contextlib.suppress(OSError):
            (PROC / str(pid) / "autogroup").write_text(str(niceness))

    def end(self) -> None:
        """Close the channel, kill the program, and wait for its end."""
        self.channel.close()
        self.process.kill()
        self.process.wait()


def own_niceness() -> int:
    """Of this process: below zero where it was root's to put itself before others."""
    return os.getpriority(os.PRIO_PROCESS, 0)


def usual_niceness() -> int:
    """Of what serves runs: never before others, and behind them where this process was put there."""
    return max(0, own_niceness())


def launch(module: str, *arguments: str, environment: dict[str, str]) -> Program:
    """Start `python -m module ARGUMENTS DESCRIPTOR`.

    In a session of its own, so that Ctrl+C at a terminal is ours to handle. Raises: LaunchError.
    """
    try:
        program = _start([sys.executable, "-s", "-m", module, *arguments], environment)
    except OSError as error:
        raise LaunchError(f"{module} could not be started: {error}") from error
    # The runner puts itself before its runs; what it starts does not inherit that.
    program.stand_at(usual_niceness())
    return program


def _start(command: list[str], environment: dict[str, str]) -> Program:
    channel, theirs = channel_pair()
    with open(theirs, "rb", buffering=0):
        try:
            process = subprocess.Popen(
                [*command, str(theirs)],
                cwd=PROJECT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno(),
                pass_fds=(theirs,),
                start_new_session=True,
            )
        except OSError:
            channel.close()
            raise
    return Program(process, channel)
