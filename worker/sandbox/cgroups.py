"""Control groups: a fresh one for every run, on version 1 and 2 behind one interface."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from worker.sandbox.channel import close_all

# What a run has beyond its declared memory: unshared pages of the interpreter, page tables, the pipe buffers.
BASE_MEMORY_BYTES = 64 * 1024 * 1024
# The most that the kernel asks for at once before it kills, twice: eight pages (PAGE_ALLOC_COSTLY_ORDER).
_LAST_REQUEST_BYTES = 64 * 1024
_REMOVAL_SECONDS = 2.0
_READ_BYTES = 16 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """The counters of one group. Kills and refused tasks are counted from the group's beginning.

    Memory kills are those by the kernel for whatever lack of memory: the group's own if it `met_limit`.
    """

    cpu_seconds: float = 0.0
    peak_memory_bytes: int = 0
    memory_kills: int = 0
    met_limit: bool = False
    peak_tasks: int = 0
    refused_tasks: int = 0

    @property
    def needed_too_much(self) -> bool:
        """Whether it was killed for more memory than it may have."""
        return self.memory_kills > 0 and self.met_limit

    @property
    def was_sacrificed(self) -> bool:
        """Whether it was killed because others, or the machine, were short of memory."""
        return self.memory_kills > 0 and not self.met_limit


class Group(Protocol):
    """One control group, or the same name in several hierarchies."""

    def entry_descriptors(self) -> list[int]:
        """Descriptors to which a process writes "0" to join; the caller closes them. Raises: OSError."""

    def limit(self, *, memory_bytes: int, tasks: int) -> None:
        """Set the limits of all within, swap included."""

    def cpu_seconds(self) -> float:
        """CPU time used by all that ever were within."""

    def usage(self) -> Usage:
        """All counters."""

    def holds(self, pid: int) -> bool:
        """Whether a process is within."""

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


def read_file(path: Path) -> str:
    """What the kernel shows in a control file. A dozen are read for each run: without the layers of a text file."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        pieces = []
        while piece := os.read(descriptor, _READ_BYTES):
            pieces.append(piece)
    finally:
        os.close(descriptor)
    return b"".join(pieces).decode("ascii")


def write_file(path: Path, text: str) -> None:
    """Write to a control file. Raises: OSError (the kernel refuses, or there is no such file)."""
    # Without O_CREAT: a control file that is not there is an error, never a new file.
    descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def read_counter(path: Path, name: str) -> int:
    """The number beside `name` in a file of lines "name number", 0 where that line is missing."""
    for line in read_file(path).splitlines():
        key, _, number = line.partition(" ")
        if key == name:
            return int(number)
    return 0


def _number(path: Path) -> int:
    """The number in a file, 0 where the kernel has no such file."""
    try:
        return int(read_file(path))
    except FileNotFoundError:
        return 0


def _members(folder: Path) -> list[int]:
    return [int(pid) for pid in read_file(folder / "cgroup.procs").split()]


def _kill_members(folder: Path) -> None:
    for pid in _members(folder):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def remove_group(folder: Path) -> bool:
    """Whether the group is gone now; False while a task or another group is in it."""
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
        entries: list[int] = []
        try:
            for path in self.paths.values():
                entries.append(os.open(path / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC))
        except OSError:
            close_all(entries)
            raise
        return entries

    def limit(self, *, memory_bytes: int, tasks: int) -> None:
        """Memory, memory with swap (where the kernel counts it), and tasks."""
        memory = self.paths["memory"]
        swap = memory / "memory.memsw.limit_in_bytes"
        both = str(memory_bytes)
        # The limit with swap may never be the lower one: raising starts with it, lowering ends with it.
        if swap.exists() and memory_bytes > _number(swap):
            write_file(swap, both)
        write_file(memory / "memory.limit_in_bytes", both)
        if swap.exists():
            write_file(swap, both)
        write_file(self.paths["pids"] / "pids.max", str(tasks))

    def cpu_seconds(self) -> float:
        """From nanoseconds."""
        return int(read_file(self.paths["cpuacct"] / "cpuacct.usage")) / 1e9

    def usage(self) -> Usage:
        """Memory kills stand in `memory.oom_control` (Linux 4.13), for whichever group's limit or none."""
        memory, pids = self.paths["memory"], self.paths["pids"]
        kills = read_counter(memory / "memory.oom_control", "oom_kill")
        return Usage(
            cpu_seconds=self.cpu_seconds(),
            peak_memory_bytes=_number(memory / "memory.max_usage_in_bytes"),
            memory_kills=kills,
            met_limit=kills > 0 and self._met_limit(),
            peak_tasks=_number(pids / "pids.peak"),
            refused_tasks=read_counter(pids / "pids.events", "max"),
        )

    def _met_limit(self) -> bool:
        """Whether it ever had all that it may, with or without swap: there is no count of that (since Linux 6.15)."""
        return any(
            0 < _number(self.paths["memory"] / limit) <= _number(self.paths["memory"] / peak) + _LAST_REQUEST_BYTES
            for limit, peak in (
                ("memory.limit_in_bytes", "memory.max_usage_in_bytes"),
                ("memory.memsw.limit_in_bytes", "memory.memsw.max_usage_in_bytes"),
            )
        )

    def holds(self, pid: int) -> bool:
        """In every hierarchy."""
        return all(pid in _members(path) for path in self.paths.values())

    def kill(self) -> None:
        """Freeze, kill each, thaw: so that none forks while it is counted."""
        with contextlib.suppress(FileNotFoundError):
            state = self.paths["freezer"] / "freezer.state"
            write_file(state, "FROZEN")
            _kill_members(self.paths["freezer"])
            write_file(state, "THAWED")

    def remove(self) -> bool:
        """From every hierarchy."""
        removed = [remove_group(path) for path in self.paths.values()]
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
        write_file(self.path / "memory.max", str(memory_bytes))
        write_file(self.path / "memory.oom.group", "1")
        with contextlib.suppress(FileNotFoundError):
            write_file(self.path / "memory.swap.max", "0")
        write_file(self.path / "pids.max", str(tasks))

    def cpu_seconds(self) -> float:
        """From microseconds."""
        return read_counter(self.path / "cpu.stat", "usage_usec") / 1e6

    def usage(self) -> Usage:
        """`memory.peak` needs Linux 5.19, `pids.peak` 6.1; they are 0 before.

        Of memory events `oom_kill` counts the killed in this group, `oom` how often its own limit was the reason.
        """
        kills = read_counter(self.path / "memory.events", "oom_kill")
        return Usage(
            cpu_seconds=self.cpu_seconds(),
            peak_memory_bytes=_number(self.path / "memory.peak"),
            memory_kills=kills,
            met_limit=kills > 0 and read_counter(self.path / "memory.events", "oom") > 0,
            peak_tasks=_number(self.path / "pids.peak"),
            refused_tasks=read_counter(self.path / "pids.events", "max"),
        )

    def holds(self, pid: int) -> bool:
        """In the folder's list."""
        return pid in _members(self.path)

    def kill(self) -> None:
        """The kill file (Linux 5.14), or one by one."""
        try:
            write_file(self.path / "cgroup.kill", "1")
        except FileNotFoundError:
            with contextlib.suppress(FileNotFoundError):
                _kill_members(self.path)

    def remove(self) -> bool:
        """The folder."""
        return remove_group(self.path)


@dataclass(frozen=True, slots=True)
class GroupsV1:
    """A folder of groups in each hierarchy of version 1."""

    bases: dict[str, Path]

    def make(self, name: str) -> GroupV1:
        """A fresh group in every hierarchy, or in none. Raises: OSError."""
        group = GroupV1({controller: base / name for controller, base in self.bases.items()})
        try:
            for path in group.paths.values():
                path.mkdir()
        except OSError:
            group.remove()
            raise
        return group

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
    removed = [remove_group(group) for group in reversed(groups)]
    return all(removed)
