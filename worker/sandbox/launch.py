"""Starting the maker and the warm program: fresh programs with a fixed environment and one inherited descriptor."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from worker.sandbox.channel import Channel, channel_pair

PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Program:
    """A started program and our end of the channel to it."""

    process: subprocess.Popen[bytes]
    channel: Channel

    def stand_behind(self, niceness: int) -> None:
        """Give it this niceness, unless it stands further behind already: only root may bring it forward."""
        pid = self.process.pid
        os.setpriority(os.PRIO_PROCESS, pid, max(niceness, os.getpriority(os.PRIO_PROCESS, pid)))

    def end(self) -> None:
        """Close the channel, kill the program, and wait for its end."""
        self.channel.close()
        self.process.kill()
        self.process.wait()


def launch(module: str, *arguments: str, environment: dict[str, str]) -> Program:
    """Start `python -m module ARGUMENTS DESCRIPTOR`.

    In a session of its own, so that Ctrl+C at a terminal is ours to handle.
    """
    channel, theirs = channel_pair()
    with open(theirs, "rb", buffering=0):
        process = subprocess.Popen(
            [sys.executable, "-s", "-m", module, *arguments, str(theirs)],
            cwd=PROJECT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr.fileno(),
            pass_fds=(theirs,),
            start_new_session=True,
        )
    program = Program(process, channel)
    # The runner puts itself before its runs; what it starts does not inherit that.
    program.stand_behind(0)
    return program
