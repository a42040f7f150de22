"""The warm programs of a runner: one that is forked from, the next one warming up, those that wait for a last run."""

from __future__ import annotations

import base64
import logging
import os
import selectors
import time
from dataclasses import dataclass, field
from typing import Any, Protocol

from worker.sandbox.cgroups import Group, Groups
from worker.sandbox.channel import ChannelClosedError, Message, close_all
from worker.sandbox.environment import TEMPLATE_ENVIRONMENT
from worker.sandbox.job import MEBIBYTE
from worker.sandbox.launch import LaunchError, Program, launch, own_niceness, usual_niceness
from worker.sandbox.layout import Layout
from worker.sandbox.processes import processors

log = logging.getLogger(__name__)

# Source: docs/sandbox.md, "address layout and canaries".
TEMPLATE_FORKS = 5_000
TEMPLATE_SECONDS = 3_600.0
TEMPLATE_MEMORY_BYTES = 2048 * MEBIBYTE
TEMPLATE_TASKS = 64
_WARMING_NICENESS = 10
_MOST_THREADS = 2
_RETRY_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSetting:
    """What the machine allows, found out once at the start."""

    slots: int
    is_contained: bool
    has_groups: bool
    outer_base: int | None
    filter_program: bytes

    @property
    def threads(self) -> int:
        """For torch's operators in each run: its share of the processors when all slots are busy, at most two.

        More would wait for each other at every small operation, and take the cores of the neighbours.
        """
        return max(1, min(_MOST_THREADS, processors() // self.slots))


class Owner(Protocol):
    """Who uses the templates."""

    def template_said(self, message: Message) -> None:
        """Something about one of its runs."""

    def template_ready(self) -> None:
        """There is one to fork from."""

    def template_retired(self, program: Program) -> None:
        """Another took its place."""

    def template_died(self, program: Program) -> None:
        """It died, and all that was forked from it."""


@dataclass(slots=True, eq=False)
class Warm:
    """A template, from its start on."""

    program: Program
    started: float
    facts: dict[str, Any] = field(default_factory=dict)
    forks: int = 0
    group: Group | None = None

    @property
    def is_ready(self) -> bool:
        """Whether it has warmed up."""
        return bool(self.facts)

    @property
    def is_old(self) -> bool:
        """Whether its address layout was used often or long enough."""
        return self.forks >= TEMPLATE_FORKS or time.monotonic() - self.started > TEMPLATE_SECONDS


class Templates:
    """Keeps one template warm, and replaces it when it is old or dead."""

    def __init__(
        self, setting: PoolSetting, owner: Owner, *, selector: selectors.BaseSelector, groups: Groups | None
    ) -> None:
        self._setting = setting
        self._owner = owner
        self._selector = selector
        self._groups = groups
        self._layout = Layout(binds=())
        self._serial = 0
        self._warm: Warm | None = None
        self._next: Warm | None = None
        self._retired: list[Warm] = []
        self._retry_at = 0.0
        # Of templates that ended: the kernel removes none before the last process in it is gone.
        self._groups_left: list[Group] = []

    def start(self, layout: Layout) -> None:
        """Start the first one; `facts` tells when it is warm."""
        self._layout = layout
        self._warm = self._hurry(self._launch())

    @property
    def current(self) -> Program:
        """The one to fork from."""
        assert self._warm is not None
        return self._warm.program

    @property
    def facts(self) -> dict[str, Any]:
        """What the current one told of itself; empty while it warms up."""
        return {} if self._warm is None else self._warm.facts

    def status(self) -> dict[str, Any]:
        """Numbers for staff."""
        warm = self._warm
        return {
            "template_age_seconds": 0.0 if warm is None else time.monotonic() - warm.started,
            "template_forks": 0 if warm is None else warm.forks,
        }

    def count_fork(self, program: Program) -> None:
        """Note one more use of its address layout."""
        next(warm for warm in self._all() if warm.program is program).forks += 1

    def renew(self) -> None:
        """Start to warm up another when the current one is old."""
        warm = self._warm
        if warm is None or not warm.is_ready or not warm.is_old or self._next is not None:
            return
        if time.monotonic() < self._retry_at:
            return
        try:
            self._next = self._launch()
        except LaunchError as error:
            # The old one serves on.
            log.error("no new warm program for now: %s", error)
            self._retry_at = time.monotonic() + _RETRY_SECONDS
            return
        # Only where it can be brought forward again.
        if own_niceness() < 0:
            self._next.program.stand_at(_WARMING_NICENESS)

    def end_unused(self, used: set[int]) -> None:
        """End the retired ones whose program is not among these (by `id`), and remove the groups of all that ended."""
        for warm in [warm for warm in self._retired if id(warm.program) not in used]:
            self._end(warm)
            self._retired.remove(warm)
        self._groups_left = [group for group in self._groups_left if not group.remove()]

    def close(self) -> None:
        """End all."""
        for warm in self._all():
            self._end(warm)

    def _all(self) -> list[Warm]:
        return [warm for warm in (self._warm, self._next, *self._retired) if warm is not None]

    def _launch(self) -> Warm:
        warm = Warm(self._launch_program(), time.monotonic())
        channel = warm.program.channel
        self._selector.register(channel, selectors.EVENT_READ, _Hearing(self, warm).hear)
        try:
            self._cap(warm)
            channel.send(
                "setup",
                filter_program=base64.b64encode(self._setting.filter_program).decode(),
                has_groups=self._setting.has_groups,
                is_contained=self._setting.is_contained,
                threads=self._setting.threads,
                packages=self._layout.packages if self._layout.executable else None,
            )
        except ChannelClosedError:
            # Its end is heard in the loop.
            pass
        except OSError as error:
            self._end(warm)
            raise LaunchError(f"the warm program could not be set up: {error}") from error
        return warm

    def _launch_program(self) -> Program:
        if not self._layout.executable:
            return launch("worker.sandbox.template", environment=TEMPLATE_ENVIRONMENT)
        layout = self._layout.with_service().to_json()
        return launch("worker.sandbox.entrance", layout, environment=TEMPLATE_ENVIRONMENT)

    def _cap(self, warm: Warm) -> None:
        """Put it into a control group of its own, where groups can be had. Raises: OSError."""
        if self._groups is None:
            return
        self._serial += 1
        warm.group = group = self._groups.make(f"template-{self._serial}")
        group.limit(memory_bytes=TEMPLATE_MEMORY_BYTES, tasks=TEMPLATE_TASKS)
        entries = group.entry_descriptors()
        try:
            for entry in entries:
                os.write(entry, str(warm.program.process.pid).encode())
        except ProcessLookupError:
            # It is dead already, which is heard in the loop.
            pass
        finally:
            close_all(entries)

    def _end(self, warm: Warm) -> None:
        self._selector.unregister(warm.program.channel)
        warm.program.end()
        if warm.group is not None:
            self._groups_left.append(warm.group)

    def hear(self, warm: Warm) -> None:
        """Take one message of a template."""
        try:
            message = warm.program.channel.receive()
        except ChannelClosedError:
            self._died(warm)
            return
        if message.kind == "ready":
            self._warmed(warm, message.values["facts"])
        else:
            self._owner.template_said(message)

    def _hurry(self, warm: Warm) -> Warm:
        """Put it before others while it warms up: until then nobody is served."""
        warm.program.stand_at(own_niceness())
        return warm

    def _warmed(self, warm: Warm, facts: dict[str, Any]) -> None:
        warm.facts = facts
        warm.program.stand_at(usual_niceness())
        if warm is self._next:
            old, self._warm, self._next = self._warm, warm, None
            assert old is not None
            self._retired.append(old)
            self._owner.template_retired(old.program)
        self._owner.template_ready()

    def _died(self, warm: Warm) -> None:
        self._end(warm)
        if warm is self._next:
            self._next = None
        elif warm is self._warm:
            self._warm = self._hurry(self._next or self._launch())
            self._next = None
        else:
            self._retired.remove(warm)
        self._owner.template_died(warm.program)


@dataclass(frozen=True, slots=True)
class _Hearing:
    """Which template a readable channel belongs to."""

    templates: Templates
    warm: Warm

    def hear(self) -> None:
        self.templates.hear(self.warm)
