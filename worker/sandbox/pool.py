"""The containers of a runner: a reserve with children forked ahead, those in use, and those on their way out."""

from __future__ import annotations

import base64
import contextlib
import logging
import os
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from worker.sandbox import isolation
from worker.sandbox.cgroups import Groups
from worker.sandbox.channel import Channel, ChannelClosedError, Message, close_all
from worker.sandbox.containers import STUCK_SECONDS, Container, Phase, make_group, open_pipes
from worker.sandbox.environment import MAKER_ENVIRONMENT, TEMPLATE_ENVIRONMENT
from worker.sandbox.isolation import Scratch
from worker.sandbox.job import MEBIBYTE, Limits, SandboxError
from worker.sandbox.launch import PROJECT, Program, launch

log = logging.getLogger(__name__)

READY = b"R"
DEFAULT_SCRATCH = Scratch(size_bytes=Limits().scratch_bytes, inodes=Limits().scratch_inodes)
# Source: docs/sandbox.md, "address layout and canaries".
TEMPLATE_FORKS = 5_000
TEMPLATE_SECONDS = 3_600.0
TEMPLATE_MEMORY_BYTES = 2048 * MEBIBYTE
TEMPLATE_TASKS = 64
_WARMING_NICENESS = 10
_MOST_DEATHS = 5
_MAKER_END_SECONDS = 10.0
_PAUSE_SECONDS = 0.2


class HelperDiedError(SandboxError):
    """Maker or template died again and again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSetting:
    """What the machine allows, found out once at the start."""

    slots: int
    is_contained: bool
    has_groups: bool
    outer_base: int | None
    filter_program: bytes


class Owner(Protocol):
    """Who uses the containers."""

    def container_ready(self, container: Container) -> None:
        """A child waits in it."""

    def container_failed(self, container: Container, error: str) -> None:
        """It could not be made."""

    def child_ended(self, container: Container, message: Message) -> None:
        """The child in a running container is dead."""

    def container_lost(self, container: Container) -> None:
        """Maker or template died under a running container: our fault."""


@dataclass(slots=True, eq=False)
class Warm:
    """A template, from its start on."""

    program: Program
    started: float
    facts: dict[str, Any] = field(default_factory=dict)
    forks: int = 0
    is_retired: bool = False

    @property
    def is_ready(self) -> bool:
        """Whether it has warmed up."""
        return bool(self.facts)

    @property
    def is_old(self) -> bool:
        """Whether its address layout was used often or long enough."""
        return self.forks >= TEMPLATE_FORKS or time.monotonic() - self.started > TEMPLATE_SECONDS


class Pool:
    """Keeps `2 × slots` containers ready and replaces what dies. All methods run in the runner's one loop."""

    def __init__(
        self, setting: PoolSetting, owner: Owner, *, selector: selectors.BaseSelector, groups: Groups | None
    ) -> None:
        self._setting = setting
        self._owner = owner
        self._selector = selector
        self._groups = groups
        self._maker: Program | None = None
        self._warm: Warm | None = None
        self._next: Warm | None = None
        self._retired: list[Warm] = []
        self._containers: dict[str, Container] = {}
        self._serial = 0
        self._deaths = 0
        self.reserve = 2 * setting.slots
        self.is_filling = False
        self._paused_until = 0.0

    # Starting and stopping

    def start(self) -> None:
        """Start the maker and the first template; `facts` tells when it is warm."""
        if self._setting.is_contained:
            self._start_maker()
        self._warm = self._start_template()

    def _start_maker(self) -> None:
        self._maker = launch("worker.sandbox.maker", environment=MAKER_ENVIRONMENT)
        self._maker.channel.send(
            "setup",
            paths=isolation.read_only_paths(_search_path(), project=PROJECT),
            has_groups=self._setting.has_groups,
            group_folders=[] if self._groups is None else self._groups.folders(),
        )
        self._watch(self._maker.channel, self._hear_maker)

    def _start_template(self) -> Warm:
        program = launch("worker.sandbox.template", environment=TEMPLATE_ENVIRONMENT)
        if self._groups is not None:
            self._serial += 1
            group = self._groups.make(f"template-{self._serial}")
            group.limit(memory_bytes=TEMPLATE_MEMORY_BYTES, tasks=TEMPLATE_TASKS)
            entries = group.entry_descriptors()
            for entry in entries:
                os.write(entry, str(program.process.pid).encode())
            close_all(entries)
        program.channel.send(
            "setup",
            filter_program=base64.b64encode(self._setting.filter_program).decode(),
            has_groups=self._setting.has_groups,
            is_contained=self._setting.is_contained,
        )
        warm = Warm(program, time.monotonic())
        self._watch(program.channel, _Hearing(self, warm).hear)
        return warm

    def _watch(self, channel: Channel, hear: Callable[[], None]) -> None:
        self._selector.register(channel, selectors.EVENT_READ, hear)

    def close(self) -> None:
        """End all containers and programs, and remove the control groups."""
        for container in self._containers.values():
            self.discard(container)
        for warm in self._warms():
            self._selector.unregister(warm.program.channel)
            warm.program.end()
        if self._maker is not None:
            # It buries what is left, removes their control groups, and ends by itself.
            self._selector.unregister(self._maker.channel)
            self._maker.channel.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._maker.process.wait(timeout=_MAKER_END_SECONDS)
            self._maker.process.kill()
            self._maker.process.wait()
        for container in self._containers.values():
            self._forget(container)
        if self._groups is not None:
            self._groups.close()

    def _warms(self) -> list[Warm]:
        return [warm for warm in (self._warm, self._next, *self._retired) if warm is not None]

    # What others may ask

    @property
    def facts(self) -> dict[str, Any]:
        """What the current template told of itself; empty while it warms up."""
        return {} if self._warm is None else self._warm.facts

    def status(self) -> dict[str, Any]:
        """Numbers for staff."""
        phases = [container.phase for container in self._containers.values()]
        warm = self._warm
        return {
            "containers": {phase.value: phases.count(phase) for phase in Phase},
            "template_age_seconds": 0.0 if warm is None else time.monotonic() - warm.started,
            "template_forks": 0 if warm is None else warm.forks,
        }

    def take(self, scratch: Scratch) -> Container | None:
        """A waiting container with such a scratch, now running; the reserve is filled up again."""
        for container in self._containers.values():
            if container.phase == Phase.READY and container.scratch == scratch and not container.is_probe:
                self.claim(container)
                self.fill()
                return container
        return None

    def claim(self, container: Container) -> None:
        """Hand a waiting container over: from now on its pipes are the owner's to watch."""
        container.phase = Phase.RUNNING
        self._selector.unregister(container.pipes.results)

    def fill(self) -> None:
        """Ask for containers until the reserve is full. Nothing while no template is warm."""
        if not self.is_filling or not self.facts or time.monotonic() < self._paused_until:
            return
        waiting = [
            container
            for container in self._containers.values()
            if container.scratch == DEFAULT_SCRATCH and container.phase not in (Phase.RUNNING, Phase.CLOSING)
        ]
        for _ in range(self.reserve - len(waiting)):
            self.build(DEFAULT_SCRATCH)

    def build(self, scratch: Scratch, *, is_probe: bool = False) -> Container:
        """Ask for one container; the owner hears when it is ready."""
        assert self._warm is not None
        self._serial += 1
        name = f"run-{self._serial}"
        container = Container(
            name=name,
            scratch=scratch,
            place=self._free_place(),
            template=self._warm.program,
            pipes=open_pipes(),
            group=make_group(self._groups, name),
            is_probe=is_probe,
        )
        self._containers[name] = container
        try:
            self._make(container)
        except ChannelClosedError:
            # Its end is heard in the loop, which then starts another.
            container.close()
        return container

    def _make(self, container: Container) -> None:
        if self._maker is None:
            container.folder = tempfile.mkdtemp(prefix="quizsite-run-")
            self._fork(container)
            return
        base = self._setting.outer_base
        self._maker.channel.send(
            "make",
            name=container.name,
            outer_id=0 if base is None else base + container.place,
            scratch_bytes=container.scratch.size_bytes,
            scratch_inodes=container.scratch.inodes,
            descriptors=(container.pipes.lifeline_end,),
        )
        container.init_lives = True

    def _fork(self, container: Container) -> None:
        entries = [] if container.group is None else container.group.entry_descriptors()
        container.phase = Phase.FORKING
        container.child_lives = True
        warm = next(warm for warm in self._warms() if warm.program is container.template)
        warm.forks += 1
        try:
            container.template.channel.send(
                "fork",
                name=container.name,
                file_bytes=container.scratch.size_bytes,
                is_probe=container.is_probe,
                folder=container.folder,
                descriptors=(*([] if container.init is None else [container.init]), *container.pipes.childs, *entries),
            )
        finally:
            close_all(entries)
        container.give_away()

    def _free_place(self) -> int:
        taken = {container.place for container in self._containers.values()}
        return next(place for place in range(len(taken) + 1) if place not in taken)

    # What maker and template say

    def _hear_maker(self) -> None:
        assert self._maker is not None
        try:
            message = self._maker.channel.receive()
        except ChannelClosedError:
            self._maker_died()
            return
        container = self._containers[message.values["name"]]
        if message.kind == "made":
            self._made(container, message)
        elif message.kind == "failed":
            container.init_lives = False
            self._fail(container, message.values["error"])
        else:
            container.init_lives = False

    def _made(self, container: Container, message: Message) -> None:
        container.init_pid, container.init = message.values["pid"], message.descriptors[0]
        if container.phase == Phase.CLOSING:
            container.kill()
            return
        try:
            self._fork(container)
        except ChannelClosedError:
            container.child_lives = False
            container.close()

    def hear_template(self, warm: Warm) -> None:
        """Take one message of a template."""
        try:
            message = warm.program.channel.receive()
        except ChannelClosedError:
            self._template_died(warm)
            return
        if message.kind == "ready":
            self._warmed(warm, message.values["facts"])
            return
        container = self._containers[message.values["name"]]
        if message.kind == "forked":
            self._forked(container, message)
        elif message.kind == "failed":
            container.child_lives = False
            self._fail(container, message.values["error"])
        else:
            self._ended(container, message)

    def _forked(self, container: Container, message: Message) -> None:
        container.forked(message.values["pid"], message.descriptors[0])
        if container.phase == Phase.CLOSING:
            container.kill()
            return
        container.phase = Phase.STARTING
        self._selector.register(container.pipes.results, selectors.EVENT_READ, _Starting(self, container).read)

    def child_spoke(self, container: Container) -> None:
        """Read the one byte by which a child says that it has given up everything, or why it could not."""
        word = os.read(container.pipes.results, 1)
        if word == READY and container.phase == Phase.STARTING:
            container.phase = Phase.READY
            self._deaths = 0
            self._owner.container_ready(container)
            return
        error = b"" if not word else os.read(container.pipes.results, 4096)
        self._selector.unregister(container.pipes.results)
        self._fail(container, error.decode(errors="replace") or "the child ended while it was set up")

    def _ended(self, container: Container, message: Message) -> None:
        container.child_lives = False
        container.wait_status = message.values["status"]
        if container.meter is not None:
            container.meter.ended(cpu_seconds=message.values["cpu_seconds"], peak_kib=message.values["peak_kib"])
        if container.phase == Phase.RUNNING:
            self._owner.child_ended(container, message)

    def _warmed(self, warm: Warm, facts: dict[str, Any]) -> None:
        warm.facts = facts
        if warm is self._next:
            self._swap()
        self.fill()

    def _fail(self, container: Container, error: str) -> None:
        if container.phase != Phase.CLOSING:
            container.close()
            # What failed once may fail again at once: not in a busy loop.
            self._paused_until = time.monotonic() + _PAUSE_SECONDS
            self._owner.container_failed(container, error)

    # Replacing what is old or dead

    def _swap(self) -> None:
        old, self._warm, self._next = self._warm, self._next, None
        if old is not None and old.program.channel.fileno() >= 0:
            old.is_retired = True
            self._retired.append(old)
            for container in self._containers.values():
                if container.template is old.program and container.phase not in (Phase.RUNNING, Phase.CLOSING):
                    self.discard(container)

    def _template_died(self, warm: Warm) -> None:
        self._selector.unregister(warm.program.channel)
        warm.program.end()
        self._count_death("template")
        for container in [item for item in self._containers.values() if item.template is warm.program]:
            container.child_lives = False
            self._lose(container)
        if warm is self._next:
            self._next = None
        elif warm is self._warm:
            self._warm = self._next or self._start_template()
            self._next = None
        else:
            self._retired.remove(warm)

    def _maker_died(self) -> None:
        assert self._maker is not None
        self._selector.unregister(self._maker.channel)
        self._maker.end()
        self._count_death("maker")
        for container in self._containers.values():
            container.init_lives = False
            self._lose(container)
        self._start_maker()

    def _count_death(self, name: str) -> None:
        self._deaths += 1
        log.warning("the %s died", name)
        if self._deaths >= _MOST_DEATHS:
            raise HelperDiedError(f"the {name} died {self._deaths} times in a row")

    def _lose(self, container: Container) -> None:
        was_running = container.phase == Phase.RUNNING
        if container.phase in (Phase.STARTING, Phase.READY):
            self._selector.unregister(container.pipes.results)
        if was_running:
            self._owner.container_lost(container)
        container.close()

    def discard(self, container: Container) -> None:
        """End a container and all in it; its traces are removed as its end is heard."""
        if container.phase in (Phase.STARTING, Phase.READY):
            self._selector.unregister(container.pipes.results)
        container.close()

    def tidy(self) -> None:
        """Remove what is left of containers that ended, renew an old template, fill the reserve."""
        for container in [item for item in self._containers.values() if item.phase == Phase.CLOSING]:
            if container.is_gone():
                self._remove(container)
            elif time.monotonic() - container.closing_since > STUCK_SECONDS and not container.said_stuck:
                container.said_stuck = True
                log.error("container %s is not gone after %s s", container.name, STUCK_SECONDS)
        if self._warm is not None and self._warm.is_ready and self._warm.is_old and self._next is None:
            self._next = self._start_template()
            os.setpriority(os.PRIO_PROCESS, self._next.program.process.pid, _WARMING_NICENESS)
        for warm in [warm for warm in self._retired if not self._is_used(warm)]:
            self._selector.unregister(warm.program.channel)
            warm.program.end()
            self._retired.remove(warm)
        self.fill()

    def _is_used(self, warm: Warm) -> bool:
        return any(container.template is warm.program for container in self._containers.values())

    def _remove(self, container: Container) -> None:
        self._forget(container)
        del self._containers[container.name]

    def _forget(self, container: Container) -> None:
        container.forget()
        if container.folder:
            shutil.rmtree(container.folder, ignore_errors=True)

    @property
    def has_closing(self) -> bool:
        """Whether something is still on its way out."""
        return any(container.phase == Phase.CLOSING for container in self._containers.values())


@dataclass(frozen=True, slots=True)
class _Hearing:
    """Which template a readable channel belongs to."""

    pool: Pool
    warm: Warm

    def hear(self) -> None:
        self.pool.hear_template(self.warm)


@dataclass(frozen=True, slots=True)
class _Starting:
    """Which container a readable result pipe belongs to."""

    pool: Pool
    container: Container

    def read(self) -> None:
        self.pool.child_spoke(self.container)


def _search_path() -> list[str]:
    return [path for path in sys.path if path]
