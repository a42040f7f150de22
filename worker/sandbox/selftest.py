"""The runner's test of itself: one probe run in a real container, looked at from outside, before any job."""

from __future__ import annotations

import os
import time
from dataclasses import replace

from worker.sandbox import tightness
from worker.sandbox.containers import Container
from worker.sandbox.job import SandboxError
from worker.sandbox.machine import Machine
from worker.sandbox.pool import Pool
from worker.sandbox.tightness import Layer

ANSWER_SECONDS = 120.0
_PAUSE_SECONDS = 0.002


class SelfTest:
    """Goes on as the server hears of the probe's container; `layers` tells what was found once it `is_over`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._findings: tightness.Findings | None = None
        self._error = ""
        self._deadline = time.monotonic() + ANSWER_SECONDS
        self.is_over = False

    def start(self) -> None:
        """Ask for the container of the probe."""
        self._pool.build(is_probe=True)

    def look(self) -> None:
        """Give up after a while."""
        if time.monotonic() > self._deadline:
            self.fail("the probe run did not answer")

    def fail(self, error: str) -> None:
        """It could not be made, or broke."""
        self._error, self.is_over = error, True

    def layers(self, machine: Machine) -> list[Layer]:
        """Every layer as found; where no probe ran, those that cannot be had."""
        if self._findings is None:
            return tightness.layers_without_namespaces(machine, self._error)
        return tightness.judge(self._findings, machine)

    def container_ready(self, container: Container) -> None:
        """Hear the probe, look at it, and let it make the call that the filter must kill for."""
        self._pool.claim(container)
        said = self._hear(container)
        try:
            # Not by a counter: those of tasks are younger than the kernels that can isolate.
            joined = container.group is not None and container.group.holds(container.child_pid)
            self._findings = tightness.look_at(container.child_pid, said, joined_group=joined)
            os.write(container.pipes.commands, b"!")
        except (OSError, SandboxError) as error:
            self.fail(str(error))
            self._pool.discard(container)

    def _hear(self, container: Container) -> bytes:
        """One line of JSON. The runner's end of the pipe never blocks: wait for it here."""
        said = b""
        while not said.endswith(b"\n") and time.monotonic() < self._deadline:
            try:
                piece = os.read(container.pipes.results, 65_536)
            except BlockingIOError:
                time.sleep(_PAUSE_SECONDS)
                continue
            if not piece:
                break
            said += piece
        return said

    def child_ended(self, container: Container) -> None:
        """Note by which signal, which ends the test."""
        status = container.wait_status or 0
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        if self._findings is not None:
            self._findings = replace(self._findings, end_signal=number)
        self.is_over = True
        self._pool.discard(container)
