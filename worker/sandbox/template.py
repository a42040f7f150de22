"""The warm program: `python -m worker.sandbox.template DESCRIPTOR`, started by the runner with a fixed environment.

It has torch loaded and warmed up, has one task, and forks once for each run: into a container that the maker prepared.
It never reads a byte that a student wrote.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import json
import os
import select
import signal
import site
import sys
from dataclasses import dataclass
from typing import NoReturn

from worker.sandbox import isolation, kernel, probes, processes
from worker.sandbox.channel import Channel, ChannelClosedError, Message, close_all, inherited_channel, write_all
from worker.sandbox.holes import fill_holes
from worker.sandbox.kernel import Capability, Namespace
from worker.sandbox.launch import PROJECT
from worker.sandbox.pages import hand_on_code, join_pages

if __name__ == "__main__":
    # Before torch is imported by what follows: to look for garbage again and again takes a sixth of the start.
    # `get_warm` does it once.
    gc.disable()

from worker.sandbox import child, rehearsal, warmup

# For its forks: to enter the namespaces of a process of another id, and to drop groups on the way. The forks lose these
# too before they read a byte.
KEPT = Capability.SYS_ADMIN | Capability.SYS_CHROOT | Capability.SYS_PTRACE | Capability.SETGID
_PID = Namespace.PID
READY, FAILED = b"R", b"F"
_FAILED_STATUS = 70
_LOOK_MILLISECONDS = 10
# Python specialises code that it has run several times; what is specialised before the fork no run writes to again.
_REHEARSALS = 30
# Only the start in a root of one's own needs them (`entrance`).
_START_VARIABLES = ("PYTHONPATH", "LD_LIBRARY_PATH")

# What fills the holes of the heap, for good.
_kept: list[object] = []


class NotSingleThreadedError(Exception):
    """The warm program has more than one task: forking it could hang the child."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all runs of a runner share. `is_contained` is false with reduced isolation."""

    filter_program: bytes
    has_groups: bool
    is_contained: bool
    threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """One fork that the runner asked for, with its descriptors."""

    name: str
    file_bytes: int
    is_probe: bool
    folder: str
    container: int | None
    kept: tuple[int, ...]
    groups: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A forked run, as seen here."""

    name: str
    pid: int
    descriptor: int | None


class Template:
    """Answers "fork" with "forked" or "failed", and says "ended" with status and usage when a run has."""

    def __init__(self, channel: Channel, setting: Setting) -> None:
        self._channel = channel
        self._setting = setting
        # No epoll: its descriptor would be one more to hide from the child. And no selector over it: each page that is
        # touched between two forks is copied anew.
        self._poll = select.poll()
        self._poll.register(channel, select.POLLIN)
        # Runs by the descriptor that tells their end, and those without one: looked after now and then.
        self._watched: dict[int, Run] = {}
        self._unwatched: list[Run] = []

    def serve(self) -> None:
        """Fork until the runner is gone. Raises: ChannelClosedError then."""
        while True:
            for descriptor, _ in self._poll.poll(_LOOK_MILLISECONDS if self._unwatched else None):
                if descriptor in self._watched:
                    self._bury(self._watched[descriptor])
                else:
                    self._answer(self._channel.receive())
            for run in list(self._unwatched):
                self._bury(run)

    def _answer(self, message: Message) -> None:
        name = message.values["name"]
        try:
            run = self._fork(message)
        except (NotSingleThreadedError, OSError) as error:
            self._channel.send("failed", name=name, error=str(error))
        else:
            descriptors = self._watch(run)
            self._channel.send("forked", name=name, pid=run.pid, descriptors=descriptors)
        finally:
            close_all(message.descriptors)

    def _fork(self, message: Message) -> Run:
        require_one_task()
        fork = read_fork(message, is_contained=self._setting.is_contained)
        if fork.container is not None:
            kernel.setns(fork.container, _PID)
        pid = kernel.fork()
        if pid == 0:  # pragma: no cover  (a fork; probe: every job of tests/worker/sandbox, and sandbox_check)
            be_run(fork, self._setting)
        return Run(name=fork.name, pid=pid, descriptor=processes.watch_end(pid))

    def _watch(self, run: Run) -> tuple[int, ...]:
        if run.descriptor is None:
            self._unwatched.append(run)
            return ()
        self._poll.register(run.descriptor, select.POLLIN)
        self._watched[run.descriptor] = run
        return (run.descriptor,)

    def _bury(self, run: Run) -> None:
        pid, status, usage = os.wait4(run.pid, os.WNOHANG)
        if pid == 0:
            return
        if run.descriptor is None:
            self._unwatched.remove(run)
        else:
            self._poll.unregister(run.descriptor)
            del self._watched[run.descriptor]
            os.close(run.descriptor)
        self._channel.send("ended", name=run.name, status=status, cpu_seconds=usage.ru_utime + usage.ru_stime)


def read_fork(message: Message, *, is_contained: bool) -> Fork:
    """The fork that a message asks for: its descriptors are the container, what is kept, and groups to join."""
    first = 1 if is_contained else 0
    return Fork(
        name=message.values["name"],
        file_bytes=message.values["file_bytes"],
        is_probe=message.values["is_probe"],
        folder=message.values["folder"],
        container=message.descriptors[0] if is_contained else None,
        kept=message.descriptors[first : first + 4],
        groups=list(message.descriptors[first + 4 :]),
    )


def require_one_task(*, own: str = "/proc/self/task") -> None:
    """Nothing, if this process has one task. Raises: NotSingleThreadedError."""
    tasks = len(os.listdir(own)) if kernel.IS_LINUX else 1
    if tasks != 1:
        raise NotSingleThreadedError(f"the warm program has {tasks} tasks, 1 expected")


def be_run(fork: Fork, setting: Setting) -> NoReturn:  # pragma: no cover  (in a fork; probe: every job)
    """Give up everything, say so, and only then serve the run. Never returns."""
    results = fork.kept[3]
    try:
        if kernel.IS_LINUX:
            kernel.set_name("run")
        processes.prefer_as_victim()
        isolation.join_groups(fork.groups)
        os.setsid()
        if fork.container is not None:
            isolation.enter(fork.container, has_groups=setting.has_groups)
        else:
            isolation.stay_outside(fork.folder)
        isolation.limit_resources(file_bytes=fork.file_bytes)
        isolation.keep_descriptors(fork.kept)
        results = isolation.RESULTS
        isolation.require_only_kept()
        if setting.filter_program:
            kernel.load_filter(setting.filter_program)
        write_all(results, READY)
        if fork.is_probe:
            probes.serve(isolation.COMMANDS, isolation.RESULTS)
        else:
            child.serve(isolation.COMMANDS, isolation.RESULTS, threads=setting.threads)
    except OSError as error:
        write_all(results, FAILED + json.dumps(str(error)).encode())
    finally:
        os._exit(_FAILED_STATUS)


def read_setting(message: Message) -> Setting:
    """The setting in the runner's first message."""
    values = message.values
    return Setting(
        filter_program=base64.b64decode(values["filter_program"]),
        has_groups=values["has_groups"],
        is_contained=values["is_contained"],
        threads=values["threads"],
    )


def get_warm(packages: list[str] | None) -> None:
    """Load and run what runs need, forget where the project lies, freeze the heap.

    `packages` is the search path but for the standard library, if this program lies in a root of its own, where it was
    started without `site`. Raises: NotSingleThreadedError.
    """
    warmup.warm_up()
    child.prepare()
    rehearsal.rehearse(times=_REHEARSALS)
    os.chdir("/")
    sys.path[:] = [path for path in sys.path if path not in ("", "/", str(PROJECT))]
    if packages is not None:
        sys.path[:] = [path for path in sys.path if path not in packages] + packages
        for name in _START_VARIABLES:
            os.environ.pop(name, None)
        site.setquit()
        site.setcopyright()
        site.sethelper()
    gc.collect()
    hand_on_code(rehearsal.rehearse)
    # What the above gave back lies in old places: those are filled last, when nothing gives any back any more.
    gc.collect()
    _kept.extend(fill_holes())
    gc.freeze()
    gc.enable()
    join_pages()
    require_one_task()


def main(arguments: list[str]) -> int:
    """Warm up, then fork for the runner at the other end of the inherited descriptor until it is gone."""
    channel = inherited_channel(int(arguments[0]))
    if kernel.IS_LINUX:
        kernel.set_name("quizsite-warm")
        kernel.die_with_parent(signal.SIGKILL)
    # The runner is gone: so is the reason to be.
    with contextlib.suppress(ChannelClosedError):
        first = channel.receive()
        setting = read_setting(first)
        get_warm(first.values["packages"])
        isolation.reset_process()
        if setting.is_contained:
            kernel.limit_capabilities(KEPT)
            kernel.forbid_new_privileges()
        channel.send("ready", facts=warmup.versions())
        Template(channel, setting).serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
