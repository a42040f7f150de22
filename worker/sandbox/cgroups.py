"""Control groups: a fresh one for every run, on version 1 and 2 behind one interface.

A runner owns one folder of groups, `quizsite-<pid>-<start time>-<number>`; so two runners never meet, and what a killed
runner left can be told from what lives.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

PREFIX = "quizsite-"
# What a run has beyond its declared memory: unshared pages of the interpreter, page tables, the pipe buffers.
BASE_MEMORY_BYTES = 64 * 1024 * 1024
_V1_CONTROLLERS = ("memory", "pids", "cpuacct", "freezer")
_V2_CONTROLLERS = ("memory", "pids", "cpu")
_REMOVAL_SECONDS = 2.0
_serial = itertools.count(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The counters of one group. Kills and refused tasks are counted from the group's beginning."""

    cpu_seconds: float = 0.0
    peak_memory_bytes: int = 0
    memory_kills: int = 0
    peak_tasks: int = 0
    refused_tasks: int = 0


class Group(Protocol):
    """One control group, or the same name in several hierarchies."""

    def entry_descriptors(self) -> list[int]:
        """Descriptors to which a process writes "0" to join; the caller closes them."""

    def limit(self, *, memory_bytes: int, tasks: int) -> None:
        """Set the limits of all within, swap included."""

    def cpu_seconds(self) -> float:
        """CPU time used by all that ever were within."""

    def usage(self) -> Usage:
        """All counters."""

    def kill(self) -> None:
        """Kill all within, also what is stopped or forking."""

    def remove(self) -> bool:
        """Remove the group; False while a task is still within."""


class Groups(Protocol):
    """Where a runner makes its groups."""

    def make(self, name: str) -> Group:
        """A fresh group."""

    def close(self) -> None:
        """Kill all within the folder and remove it."""

    def folders(self) -> list[str]:
        """The folders of this runner, for whoever cleans up after it."""


def _read(path: Path) -> str:
    return path.read_text(encoding="ascii")


def _write(path: Path, text: str) -> None:
    # Without O_CREAT: a control file that is not there is an error, never a new file.
    descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def _counter(path: Path, name: str) -> int:
    """The number beside `name` in a file of lines "name number", 0 where it is missing."""
    for line in _read(path).splitlines():
        key, _, number = line.partition(" ")
        if key == name:
            return int(number)
    return 0


def _number(path: Path) -> int:
    """The number in a file, 0 where the kernel has no such file."""
    try:
        return int(_read(path))
    except FileNotFoundError:
        return 0


def _kill_members(folder: Path) -> None:
    for pid in _read(folder / "cgroup.procs").split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


def _remove(folder: Path) -> bool:
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class GroupV1:
    """One name in the hierarchies of version 1."""

    paths: dict[str, Path]

    def entry_descriptors(self) -> list[int]:
        """One descriptor for each hierarchy."""
        return [os.open(path / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC) for path in self.paths.values()]

    def limit(self, *, memory_bytes: int, tasks: int) -> None:
        """Memory, memory with swap (where the kernel counts it), and tasks."""
        memory = self.paths["memory"]
        swap = memory / "memory.memsw.limit_in_bytes"
        both = str(memory_bytes)
        # The limit with swap may never be the lower one: raising starts with it, lowering ends with it.
        if swap.exists() and memory_bytes > _number(swap):
            _write(swap, both)
        _write(memory / "memory.limit_in_bytes", both)
        if swap.exists():
            _write(swap, both)
        _write(self.paths["pids"] / "pids.max", str(tasks))

    def cpu_seconds(self) -> float:
        """From nanoseconds."""
        return int(_read(self.paths["cpuacct"] / "cpuacct.usage")) / 1e9

    def usage(self) -> Usage:
        """Memory kills stand in `memory.oom_control` (Linux 4.13)."""
        memory, pids = self.paths["memory"], self.paths["pids"]
        return Usage(
            cpu_seconds=self.cpu_seconds(),
            peak_memory_bytes=_number(memory / "memory.max_usage_in_bytes"),
            memory_kills=_counter(memory / "memory.oom_control", "oom_kill"),
            peak_tasks=_number(pids / "pids.peak"),
            refused_tasks=_counter(pids / "pids.events", "max"),
        )

    def kill(self) -> None:
        """Freeze, kill each, thaw: so that none forks while it is counted."""
        with contextlib.suppress(FileNotFoundError):
            state = self.paths["freezer"] / "freezer.state"
            _write(state, "FROZEN")
            _kill_members(self.paths["freezer"])
            _write(state, "THAWED")

    def remove(self) -> bool:
        """From every hierarchy."""
        removed = [_remove(path) for path in self.paths.values()]
        return all(removed)


@dataclass(frozen=True, slots=True)
class GroupV2:
    """One folder of the unified hierarchy."""

    path: Path

    def entry_descriptors(self) -> list[int]:
        """One descriptor."""
        return [os.open(self.path / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)]

    def limit(self, *, memory_bytes: int, tasks: int) -> None:
        """Memory (all of the group dies together), no swap, tasks."""
        _write(self.path / "memory.max", str(memory_bytes))
        _write(self.path / "memory.oom.group", "1")
        with contextlib.suppress(FileNotFoundError):
            _write(self.path / "memory.swap.max", "0")
        _write(self.path / "pids.max", str(tasks))

    def cpu_seconds(self) -> float:
        """From microseconds."""
        return _counter(self.path / "cpu.stat", "usage_usec") / 1e6

    def usage(self) -> Usage:
        """`memory.peak` needs Linux 5.19, `pids.peak` 6.1; they are 0 before."""
        return Usage(
            cpu_seconds=self.cpu_seconds(),
            peak_memory_bytes=_number(self.path / "memory.peak"),
            memory_kills=_counter(self.path / "memory.events", "oom_kill"),
            peak_tasks=_number(self.path / "pids.peak"),
            refused_tasks=_counter(self.path / "pids.events", "max"),
        )

    def kill(self) -> None:
        """The kill file (Linux 5.14), or one by one."""
        try:
            _write(self.path / "cgroup.kill", "1")
        except FileNotFoundError:
            with contextlib.suppress(FileNotFoundError):
                _kill_members(self.path)

    def remove(self) -> bool:
        """The folder."""
        return _remove(self.path)


@dataclass(frozen=True, slots=True)
class GroupsV1:
    """A folder of groups in each hierarchy of version 1."""

    bases: dict[str, Path]

    def make(self, name: str) -> GroupV1:
        """A fresh group in every hierarchy."""
        paths = {controller: base / name for controller, base in self.bases.items()}
        for path in paths.values():
            path.mkdir()
        return GroupV1(paths)

    def close(self) -> None:
        """Kill all within and remove the folders."""
        remove_folders(self.folders())

    def folders(self) -> list[str]:
        """One for each hierarchy."""
        return [str(base) for base in self.bases.values()]


@dataclass(frozen=True, slots=True)
class GroupsV2:
    """A folder of groups in the unified hierarchy."""

    base: Path

    def make(self, name: str) -> GroupV2:
        """A fresh group."""
        path = self.base / name
        path.mkdir()
        return GroupV2(path)

    def close(self) -> None:
        """Kill all within and remove the folder."""
        remove_folders(self.folders())

    def folders(self) -> list[str]:
        """One."""
        return [str(self.base)]


def remove_folders(folders: list[str], *, seconds: float = _REMOVAL_SECONDS) -> bool:
    """Kill what is in these folders' groups and remove all of them; False if some stayed after `seconds`."""
    deadline = time.monotonic() + seconds
    while True:
        left = [folder for folder in folders if not _remove_tree(Path(folder))]
        if not left or time.monotonic() > deadline:
            return not left
        time.sleep(0.005)


def _remove_tree(folder: Path) -> bool:
    try:
        groups = [folder, *(path for path in folder.iterdir() if path.is_dir())]
        for group in groups:
            _kill_members(group)
    except FileNotFoundError:
        return True
    removed = [_remove(group) for group in reversed(groups)]
    return all(removed)


def find_groups(*, proc: Path = Path("/proc")) -> Groups | None:
    """Groups of this process's own, below the group it is in; None where the machine lets it make none."""
    mounts, places = _hierarchies(proc), _own_places(proc)
    name = f"{PREFIX}{os.getpid()}-{start_time(os.getpid(), proc=proc)}-{next(_serial)}"
    return _find_v1(mounts, places, name) or _find_v2(mounts, places, name)


def start_time(pid: int, *, proc: Path = Path("/proc")) -> int:
    """When a process started, in clock ticks since boot; 0 when there is none."""
    try:
        stat = (proc / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(stat.rpartition(")")[2].split()[19])


def _hierarchies(proc: Path) -> dict[str, tuple[str, Path]]:
    """Controller (or "" for version 2) → root shown and folder of its mount."""
    found: dict[str, tuple[str, Path]] = {}
    for line in (proc / "self" / "mountinfo").read_text().splitlines():
        fields, _, kind_fields = line.partition(" - ")
        root, folder = fields.split()[3:5]
        kind, _, options = kind_fields.split()[:3]
        if kind == "cgroup2":
            found.setdefault("", (root, Path(folder)))
        elif kind == "cgroup":
            for option in options.split(","):
                found.setdefault(option, (root, Path(folder)))
    return found


def _own_places(proc: Path) -> dict[str, str]:
    places: dict[str, str] = {}
    for line in (proc / "self" / "cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            places[controller] = path
    return places


def _folder_of(mounts: dict[str, tuple[str, Path]], places: dict[str, str], controller: str) -> Path | None:
    """The folder of the group this process is in, or the mount itself where the group lies outside what is mounted."""
    if controller not in mounts or controller not in places:
        return None
    root, folder = mounts[controller]
    own = folder / os.path.relpath(places[controller], root)
    return own if own.is_dir() and ".." not in own.parts else folder


def _find_v1(mounts: dict[str, tuple[str, Path]], places: dict[str, str], name: str) -> GroupsV1 | None:
    parents = {controller: _folder_of(mounts, places, controller) for controller in _V1_CONTROLLERS}
    bases = {controller: parent / name for controller, parent in parents.items() if parent is not None}
    if len(bases) < len(_V1_CONTROLLERS):
        return None
    for base in bases.values():
        sweep(base.parent)
    return GroupsV1(bases) if _make_folders(list(bases.values())) else None


def _make_folders(folders: list[Path]) -> bool:
    made: list[Path] = []
    try:
        for folder in folders:
            folder.mkdir()
            made.append(folder)
    except OSError:
        for folder in made:
            folder.rmdir()
        return False
    return True


def _find_v2(mounts: dict[str, tuple[str, Path]], places: dict[str, str], name: str) -> GroupsV2 | None:
    parent = _folder_of(mounts, places, "")
    if parent is None:
        return None
    sweep(parent)
    base = parent / name
    if not _make_folders([base]):
        return None
    if _delegate(parent) and _delegate(base):
        return GroupsV2(base)
    base.rmdir()
    return None


def _delegate(folder: Path) -> bool:
    """Whether the groups below `folder` may use our controllers; moves this process aside where it stands in the way.

    Only a group without processes may hand its controllers down. So a runner that is alone in its group moves into a
    leaf of it; where others are in it too, groups cannot be had.
    """
    wanted = " ".join(f"+{controller}" for controller in _V2_CONTROLLERS)
    try:
        if set(_V2_CONTROLLERS) <= set(_read(folder / "cgroup.subtree_control").split()):
            return True
        members = _read(folder / "cgroup.procs").split()
        if members == [str(os.getpid())]:
            leaf = folder / f"{PREFIX}supervisor"
            leaf.mkdir(exist_ok=True)
            _write(leaf / "cgroup.procs", "0")
        _write(folder / "cgroup.subtree_control", wanted)
    except OSError:
        return False
    return True


def sweep(parent: Path) -> None:
    """Remove the empty groups of runners that are no more: those whose process is gone, or is another by now.

    Nothing is killed here: a runner of another pid namespace may look dead from here.
    """
    for folder in parent.glob(f"{PREFIX}*-*"):
        pid, started, *_ = folder.name.removeprefix(PREFIX).split("-")
        if pid.isdecimal() and started.isdecimal() and start_time(int(pid)) != int(started):
            for group in (*(path for path in folder.iterdir() if path.is_dir()), folder):
                _remove(group)
