"""Containers as the runner sees them: made ahead, entered by a forked child, used for one run, removed."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from worker.sandbox.cgroups import Group, Groups
from worker.sandbox.channel import close_all
from worker.sandbox.launch import Program
from worker.sandbox.meters import GroupMeter, Meter, ProcessMeter
from worker.sandbox.processes import are_descriptors_short, widen_pipe
from worker.sandbox.recording import PIPE_BYTES

# After this long a container that should be gone is killed by its control group too, and said to be stuck.
STUCK_SECONDS = 2.0
_PIPES = 5


class Phase(StrEnum):
    """How far a container is."""

    MAKING = "making"
    FORKING = "forking"
    STARTING = "starting"
    READY = "ready"
    RUNNING = "running"
    CLOSING = "closing"


@dataclass(slots=True, kw_only=True)
class Pipes:
    """The runner's ends, and until the fork the child's."""

    commands: int
    results: int
    output: int
    errors: int
    lifeline: int
    childs: tuple[int, ...]
    lifeline_end: int
    # How much can be printed between two looks.
    room_bytes: int


def open_pipes() -> Pipes:
    """Five pipes; the runner's ends never block. Raises: OSError (there are no descriptors to spare)."""
    ends: list[int] = []
    try:
        for _ in range(_PIPES):
            ends += os.pipe()
        if are_descriptors_short(max(ends)):
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    except OSError:
        close_all(ends)
        raise
    output, output_end, errors, errors_end, commands_end, commands, results, results_end, lifeline_end, lifeline = ends
    for descriptor in (output, errors, commands, results):
        os.set_blocking(descriptor, False)
    # Where much room cannot be had the usual must do.
    rooms = [widen_pipe(descriptor, PIPE_BYTES) for descriptor in (output, errors)]
    return Pipes(
        commands=commands,
        results=results,
        output=output,
        errors=errors,
        lifeline=lifeline,
        childs=(output_end, errors_end, commands_end, results_end),
        lifeline_end=lifeline_end,
        room_bytes=min(rooms),
    )


@dataclass(slots=True, kw_only=True, eq=False)
class Container:
    """One container and the run in it. Descriptors are owned here."""

    name: str
    place: int
    template: Program
    pipes: Pipes
    group: Group | None
    folder: str = ""
    is_probe: bool = False
    phase: Phase = Phase.MAKING
    init: int | None = None
    child_pid: int = 0
    child: int | None = None
    meter: Meter | None = None
    # What must be heard before it is surely gone: that its first process and its child have ended.
    init_lives: bool = False
    child_lives: bool = False
    wait_status: int | None = None
    closing_since: float = 0.0
    said_stuck: bool = field(default=False)

    def give_away(self) -> None:
        """Close the child's ends here, once they were sent."""
        close_all(list(self.pipes.childs))
        self.pipes.childs = ()

    def forked(self, pid: int, descriptor: int | None) -> None:
        """Note the child, and start to measure it."""
        self.child_pid, self.child, self.child_lives = pid, descriptor, True
        if self.group is not None:
            self.meter = GroupMeter(self.group, pid)
        else:
            self.meter = ProcessMeter(pid, is_contained=self.init is not None)

    def close(self) -> None:
        """Let go of all pipes and kill all within. What follows is heard from maker and template."""
        if self.phase == Phase.CLOSING:
            return
        self.phase, self.closing_since = Phase.CLOSING, time.monotonic()
        pipes = self.pipes
        ends = (pipes.commands, pipes.results, pipes.output, pipes.errors, pipes.lifeline, pipes.lifeline_end)
        close_all([*ends, *pipes.childs])
        self.kill()

    def kill(self) -> None:
        """Kill the first process, and with it all in its pid namespace; without a container, the child's session."""
        if self.init is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.init, signal.SIGKILL)
        elif self.child_lives and self.child_pid:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.child_pid, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.child_pid, signal.SIGKILL)

    def has_died(self) -> bool:
        """Whether the child is dead, be it that the template has not said so yet."""
        return self.child is not None and _has_ended(self.child)

    @property
    def was_killed(self) -> bool:
        """Whether the child died by the signal that nothing can withstand: its own, ours, or the kernel's."""
        status = self.wait_status
        return status is not None and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL

    def is_over(self) -> bool:
        """Whether the first process has ended, and with it all within, be it that the maker has not said so yet."""
        return self.init is not None and _has_ended(self.init)

    def is_gone(self) -> bool:
        """Whether nothing of it is left, its control group included, which is removed here."""
        if self.init_lives or self.child_lives:
            if time.monotonic() - self.closing_since > STUCK_SECONDS and self.group is not None:
                self.group.kill()
            return False
        return self.group is None or self.group.remove()

    def forget(self) -> None:
        """Close the descriptors that only watching needed."""
        close_all([descriptor for descriptor in (self.init, self.child) if descriptor is not None])
        self.init = self.child = None


class Owner(Protocol):
    """Who uses the containers."""

    def container_ready(self, container: Container) -> None:
        """A child waits in it."""

    def container_failed(self, name: str, error: str, *, is_probe: bool) -> None:
        """The container of this name could not be made."""

    def child_ended(self, container: Container) -> None:
        """The child in a running container is dead."""

    def container_lost(self, container: Container) -> None:
        """Maker or template died under a running container: our fault."""


def _has_ended(descriptor: int) -> bool:
    watch = select.poll()
    watch.register(descriptor, select.POLLIN)
    return bool(watch.poll(0))


def open_container(
    name: str, template: Program, *, place: int, groups: Groups | None, is_probe: bool = False
) -> Container:
    """A container that is still to be made, with its pipes and a fresh group, where groups can be had.

    Raises: OSError (the machine has nothing left for one).
    """
    group = None if groups is None else groups.make(name)
    try:
        pipes = open_pipes()
    except OSError:
        if group is not None:
            group.remove()
        raise
    return Container(name=name, place=place, template=template, pipes=pipes, group=group, is_probe=is_probe)
