"""The containers of a runner: a reserve with children forked ahead, those in use, and those on their way out."""

from __future__ import annotations

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
from dataclasses import dataclass
from typing import Any

from worker.sandbox.cgroups import Groups
from worker.sandbox.channel import Channel, ChannelClosedError, Message, close_all
from worker.sandbox.containers import STUCK_SECONDS, Container, Owner, Phase, open_container
from worker.sandbox.environment import MAKER_ENVIRONMENT
from worker.sandbox.isolation import Scratch
from worker.sandbox.job import MEBIBYTE, SandboxError
from worker.sandbox.launch import Program, launch
from worker.sandbox.layout import Layout, choose_layout
from worker.sandbox.templates import PoolSetting, Templates

log = logging.getLogger(__name__)

READY = b"R"
# What a run may write to; no file of it may be larger than all of that.
SCRATCH = Scratch(size_bytes=64 * MEBIBYTE, inodes=4096)
_MOST_DEATHS = 5
_MAKER_END_SECONDS = 10.0
_PAUSE_SECONDS = 0.2


class HelperDiedError(SandboxError):
    """Maker or template died again and again."""


class Pool:
    """Keeps `2 × slots` containers ready and replaces what dies. All methods run in the runner's one loop."""

    def __init__(
        self, setting: PoolSetting, owner: Owner, *, selector: selectors.BaseSelector, groups: Groups | None
    ) -> None:
        self._setting = setting
        self._owner = owner
        self._selector = selector
        self._groups = groups
        self._layout = Layout(binds=())
        self._maker: Program | None = None
        self._containers: dict[str, Container] = {}
        self._serial = 0
        self._deaths = 0
        self._all_deaths = 0
        self.reserve = 2 * setting.slots
        self.is_filling = False
        self._paused_until = 0.0
        self._is_lacking = False
        self._templates = Templates(setting, self, selector=selector, groups=groups)

    # Starting and stopping

    def start(self) -> None:
        """Start the maker and the first template; `facts` tells when it is warm."""
        if self._setting.is_contained:
            self._layout = choose_layout([path for path in sys.path if path])
            self._start_maker()
        self._templates.start(self._layout)

    def _start_maker(self) -> None:
        self._maker = launch("worker.sandbox.maker", environment=MAKER_ENVIRONMENT)
        # Should it be dead already, that is heard in the loop.
        with contextlib.suppress(ChannelClosedError):
            self._maker.channel.send(
                "setup",
                binds=self._layout.binds,
                has_groups=self._setting.has_groups,
                group_folders=[] if self._groups is None else self._groups.folders(),
            )
        self._watch(self._maker.channel, self._hear_maker)

    def _watch(self, channel: Channel, hear: Callable[[], None]) -> None:
        self._selector.register(channel, selectors.EVENT_READ, hear)

    def close(self) -> None:
        """End all containers and programs, and remove the control groups."""
        for container in self._containers.values():
            self.discard(container)
        self._templates.close()
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

    # What others may ask

    @property
    def facts(self) -> dict[str, Any]:
        """What the current template told of itself; empty while it warms up."""
        return self._templates.facts

    def status(self) -> dict[str, Any]:
        """Numbers for staff."""
        phases = [container.phase for container in self._containers.values()]
        return {
            "containers": {phase.value: phases.count(phase) for phase in Phase},
            "has_neutral_paths": bool(self._layout.executable),
            "helpers_died": self._all_deaths,
            **self._templates.status(),
        }

    def take(self) -> Container | None:
        """A waiting container, now running; the reserve is filled up again."""
        for container in self._containers.values():
            if container.phase == Phase.READY and not container.is_probe:
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
            if container.phase not in (Phase.RUNNING, Phase.CLOSING)
        ]
        for _ in range(self.reserve - len(waiting)):
            if self.build() is None:
                return

    def build(self, *, is_probe: bool = False) -> Container | None:
        """Ask for one container; the owner hears when it is ready. None where the machine has nothing left for one."""
        self._serial += 1
        name = f"run-{self._serial}"
        try:
            container = open_container(
                name, self._templates.current, place=self._free_place(), groups=self._groups, is_probe=is_probe
            )
        except OSError as error:
            self._lacked(name, str(error), is_probe=is_probe)
            return None
        self._is_lacking = False
        self._containers[container.name] = container
        try:
            self._make(container)
        except ChannelClosedError:
            # Its end is heard in the loop, which then starts another.
            container.close()
        except OSError as error:
            self._fail(container, str(error))
            return None
        return container

    def _lacked(self, name: str, error: str, *, is_probe: bool) -> None:
        """Serve with the containers there are; where there is none, whoever waits must hear of it."""
        self._paused_until = time.monotonic() + _PAUSE_SECONDS
        if any(container.phase in (Phase.READY, Phase.RUNNING) for container in self._containers.values()):
            if not self._is_lacking:
                log.error("the reserve of containers stays smaller: %s", error)
            self._is_lacking = True
        else:
            self._owner.container_failed(name, error, is_probe=is_probe)

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
            scratch_bytes=SCRATCH.size_bytes,
            scratch_inodes=SCRATCH.inodes,
            descriptors=(container.pipes.lifeline_end,),
        )
        container.init_lives = True

    def _fork(self, container: Container) -> None:
        entries = [] if container.group is None else container.group.entry_descriptors()
        container.phase = Phase.FORKING
        self._templates.count_fork(container.template)
        try:
            container.template.channel.send(
                "fork",
                name=container.name,
                file_bytes=SCRATCH.size_bytes,
                is_probe=container.is_probe,
                folder=container.folder,
                descriptors=(*([] if container.init is None else [container.init]), *container.pipes.childs, *entries),
            )
        finally:
            close_all(entries)
        container.child_lives = True
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
        if not message.descriptors:
            # The kernel drops what there is no room for. Its first process ends as its lifeline is closed.
            self._fail(container, "there was no descriptor left for it")
            return
        container.init = message.descriptors[0]
        if container.phase == Phase.CLOSING:
            container.kill()
            return
        try:
            self._fork(container)
        except ChannelClosedError:
            container.close()
        except OSError as error:
            self._fail(container, str(error))

    def template_said(self, message: Message) -> None:
        """Take what a template says of one of its runs."""
        container = self._containers[message.values["name"]]
        if message.kind == "forked":
            self._forked(container, message)
        elif message.kind == "failed":
            container.child_lives = False
            self._fail(container, message.values["error"])
        else:
            self._ended(container, message)

    def _forked(self, container: Container, message: Message) -> None:
        container.forked(message.values["pid"], next(iter(message.descriptors), None))
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
        error = b""
        with contextlib.suppress(BlockingIOError):
            error = os.read(container.pipes.results, 4096)
        self._selector.unregister(container.pipes.results)
        self._fail(container, error.decode(errors="replace") or "the child ended while it was set up")

    def _ended(self, container: Container, message: Message) -> None:
        container.child_lives = False
        container.wait_status = message.values["status"]
        if container.meter is not None:
            was_killed = container.was_killed and container.phase == Phase.RUNNING
            container.meter.ended(cpu_seconds=message.values["cpu_seconds"], was_killed=was_killed)
        if container.phase == Phase.RUNNING:
            self._owner.child_ended(container)

    def _fail(self, container: Container, error: str) -> None:
        if container.phase != Phase.CLOSING:
            container.close()
            # What failed once may fail again at once: not in a busy loop.
            self._paused_until = time.monotonic() + _PAUSE_SECONDS
            self._owner.container_failed(container.name, error, is_probe=container.is_probe)

    # Replacing what is old or dead

    def template_ready(self) -> None:
        """Fork from it from now on."""
        self.fill()

    def template_retired(self, program: Program) -> None:
        """Another took its place: what waits in the reserve was forked from the old one."""
        for container in self._containers.values():
            if container.template is program and container.phase not in (Phase.RUNNING, Phase.CLOSING):
                self.discard(container)

    def template_died(self, program: Program) -> None:
        """All that was forked from it died with it."""
        self._count_death("template")
        lost = [container for container in self._containers.values() if container.template is program]
        for container in lost:
            # Without a container of its own a run does not end with the template.
            container.kill()
            container.child_lives = False
        self._lose(lost)

    def _maker_died(self) -> None:
        assert self._maker is not None
        self._selector.unregister(self._maker.channel)
        self._maker.end()
        self._count_death("maker")
        lost = list(self._containers.values())
        for container in lost:
            container.init_lives = False
        self._start_maker()
        self._lose(lost)

    def _count_death(self, name: str) -> None:
        self._deaths += 1
        self._all_deaths += 1
        log.warning("the %s died", name)
        if self._deaths >= _MOST_DEATHS:
            raise HelperDiedError(f"the {name} died {self._deaths} times in a row")

    def _lose(self, containers: list[Container]) -> None:
        """First those that wait: a run that was lost may start once more, and not in one of them."""
        running = [container for container in containers if container.phase == Phase.RUNNING]
        for container in containers:
            if container not in running:
                self.discard(container)
        for container in running:
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
        self._templates.renew()
        self._templates.end_unused({id(container.template) for container in self._containers.values()})
        self.fill()

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
class _Starting:
    """Which container a readable result pipe belongs to."""

    pool: Pool
    container: Container

    def read(self) -> None:
        self.pool.child_spoke(self.container)
