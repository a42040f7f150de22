"""What a run has used: from its control group, or from outside looks at its process where no group can be had."""

from __future__ import annotations

import contextlib
import os
import resource
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from worker.sandbox.cgroups import BASE_MEMORY_BYTES, Group, Usage
from worker.sandbox.job import Limits

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Meter(Protocol):
    """Measures one run from the moment its job begins."""

    look_seconds: float

    def begin(self, limits: Limits) -> None:
        """Set the limits and start counting."""

    def cpu_seconds(self) -> float:
        """CPU time since `begin`."""

    def look(self) -> str:
        """What was found out of bounds ("memory", "tasks"), or nothing."""

    def usage(self) -> Usage:
        """All counters since `begin`."""

    def waited_seconds(self) -> float:
        """How long the run was ready to go on and had no core, at most."""

    def ended(self, *, cpu_seconds: float, peak_kib: int) -> None:
        """Take note of what `wait4` said of the dead process."""


def limit_cpu(pid: int, cpu_seconds: float) -> None:
    """Have the kernel end a process one to two seconds after this CPU time, should the runner not come to it."""
    seconds = int(cpu_seconds) + 2
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_CPU, (seconds, seconds + 1))


def waited_seconds(pid: int, *, proc: Path = Path("/proc")) -> float:
    """How long that thread of a process which waited longest was ready and had no core; 0 where the kernel tells not.

    Source: Documentation/scheduler/sched-stats: the second number of `schedstat`, in nanoseconds.
    """
    longest = 0
    for file in (proc / str(pid)).glob("task/*/schedstat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            longest = max(longest, int(file.read_text().split()[1]))
    return longest / 1e9


class GroupMeter:
    """The kernel counts and stops: a fresh group has no history."""

    # How often to look at least; sooner when little CPU time is left. Printed text is read at looks too.
    look_seconds = 0.02

    def __init__(self, group: Group, pid: int) -> None:
        self._group = group
        self._pid = pid
        self._cpu_before = 0.0

    def begin(self, limits: Limits) -> None:
        """The limit is the declared one and a base, since the interpreter's own unshared pages are charged too."""
        self._group.limit(memory_bytes=limits.memory_bytes + BASE_MEMORY_BYTES, tasks=limits.tasks)
        self._cpu_before = self._group.cpu_seconds()
        limit_cpu(self._pid, self._cpu_before + limits.cpu_seconds)

    def cpu_seconds(self) -> float:
        """Of all threads, as the kernel charged them."""
        return self._group.cpu_seconds() - self._cpu_before

    def look(self) -> str:
        """Nothing: the kernel watches."""
        return ""

    def usage(self) -> Usage:
        """All counters, CPU time since `begin`."""
        usage = self._group.usage()
        return replace(usage, cpu_seconds=usage.cpu_seconds - self._cpu_before)

    def waited_seconds(self) -> float:
        """Since the process began, which is little before the job did."""
        return waited_seconds(self._pid)

    def ended(self, *, cpu_seconds: float, peak_kib: int) -> None:
        """Nothing: the group knows better."""


class ProcessMeter:
    """The substitute: a watchdog on resident size and thread count, with the limits of the process itself behind it."""

    look_seconds = 0.01

    def __init__(self, pid: int, *, is_contained: bool = True, proc: Path = Path("/proc")) -> None:
        self._pid = pid
        self._is_contained = is_contained
        self._folder = proc / str(pid)
        self._limits = Limits()
        self._cpu_before, self._memory_before = 0.0, 0
        self._seen = Usage()

    def begin(self, limits: Limits) -> None:
        """Memory counts from here on, since a run shares most of what it has with the warm program."""
        self._limits = limits
        self._cpu_before, self._memory_before, _ = self._read() or (0.0, 0, 0)
        limit_cpu(self._pid, self._cpu_before + limits.cpu_seconds)
        if self._is_contained:
            # Counted for each user namespace: there the container's first process is the one more. Outside, all
            # processes of the user would count.
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(self._pid, resource.RLIMIT_NPROC, (limits.tasks + 1, limits.tasks + 1))

    def _read(self) -> tuple[float, int, int] | None:
        """CPU seconds, resident bytes and tasks; None when the process is no more."""
        try:
            fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return None
        # Source: proc(5): utime, stime, num_threads, rss are fields 14, 15, 20, 24; the name ended field 2.
        ticks, tasks, pages = int(fields[11]) + int(fields[12]), int(fields[17]), int(fields[21])
        return ticks / _TICKS, pages * _PAGE_BYTES, tasks

    def _sample(self) -> None:
        if (now := self._read()) is None:
            return
        cpu, memory, tasks = now
        self._seen = replace(
            self._seen,
            cpu_seconds=max(self._seen.cpu_seconds, cpu - self._cpu_before),
            peak_memory_bytes=max(self._seen.peak_memory_bytes, memory - self._memory_before),
            peak_tasks=max(self._seen.peak_tasks, tasks),
            refused_tasks=self._seen.refused_tasks or int(tasks >= self._limits.tasks),
        )

    def cpu_seconds(self) -> float:
        """From the process's own counters, which it cannot change."""
        self._sample()
        return self._seen.cpu_seconds

    def look(self) -> str:
        """`memory` or `tasks` when the process grew over that limit."""
        self._sample()
        if self._seen.peak_memory_bytes > self._limits.memory_bytes + BASE_MEMORY_BYTES:
            self._seen = replace(self._seen, memory_kills=1)
            return "memory"
        return "tasks" if self._seen.peak_tasks > self._limits.tasks else ""

    def usage(self) -> Usage:
        """What was seen at the last look or at the end."""
        self._sample()
        return self._seen

    def waited_seconds(self) -> float:
        """Since the process began, which is little before the job did."""
        return waited_seconds(self._pid, proc=self._folder.parent)

    def ended(self, *, cpu_seconds: float, peak_kib: int) -> None:
        """The final CPU time. Peak memory stays that of the looks: `wait4` counts what is shared too."""
        self._seen = replace(self._seen, cpu_seconds=max(self._seen.cpu_seconds, cpu_seconds - self._cpu_before))
