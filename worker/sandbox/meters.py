"""What a run has used: from its control group, or from outside looks at its process where no group can be had."""

from __future__ import annotations

import contextlib
import resource
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from worker.sandbox import kernel
from worker.sandbox.cgroups import BASE_MEMORY_BYTES, Group, Usage, read_counter
from worker.sandbox.job import Limits
from worker.sandbox.processes import PROC, Sample, sample, set_limit

# Where a look starts a program, it cannot be taken often.
_SELDOM_SECONDS = 0.25


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

    def ended(self, *, cpu_seconds: float, was_killed: bool) -> None:
        """Take note of what `wait4` said of the dead process, and whether it was killed, and not by the runner."""


def limit_cpu(pid: int, cpu_seconds: float) -> None:
    """Have the kernel end a process one to two seconds after this CPU time, should the runner not come to it."""
    seconds = int(cpu_seconds) + 2
    set_limit(pid, resource.RLIMIT_CPU, soft=seconds, hard=seconds + 1)


def waited_seconds(pid: int, *, proc: Path = PROC) -> float:
    """How long that thread of a process which waited longest was ready and had no core; 0 where the kernel tells not.

    Source: Documentation/scheduler/sched-stats: the second number of `schedstat`, in nanoseconds.
    """
    longest = 0
    for file in (proc / str(pid)).glob("task/*/schedstat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            longest = max(longest, int(file.read_text().split()[1]))
    return longest / 1e9


def killed_for_memory(*, proc: Path = PROC) -> int:
    """How many processes the kernel has killed since its start for lack of memory, a container's or its own.

    0 where it does not tell (before Linux 4.13).
    """
    try:
        return read_counter(proc / "vmstat", "oom_kill")
    except FileNotFoundError:
        return 0


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

    def ended(self, *, cpu_seconds: float, was_killed: bool) -> None:
        """Nothing: the group knows better."""


class ProcessMeter:
    """The substitute: a watchdog on resident size and thread count, with the limits of the process itself behind it."""

    def __init__(self, pid: int, *, is_contained: bool = True, proc: Path = PROC) -> None:
        self._pid = pid
        self._is_contained = is_contained
        self._proc = proc
        self.look_seconds = 0.01 if kernel.IS_LINUX else _SELDOM_SECONDS
        self._limits = Limits()
        self._cpu_before, self._memory_before = 0.0, 0
        self._kills_before = 0
        self._seen = Usage()

    def begin(self, limits: Limits) -> None:
        """Memory counts from here on, since a run shares most of what it has with the warm program."""
        self._limits = limits
        # Of the whole machine: no limit of ours is kept by the kernel here, so a kill for memory is never the run's.
        self._kills_before = killed_for_memory(proc=self._proc)
        if (now := self._read()) is not None:
            self._cpu_before, self._memory_before = now.cpu_seconds, now.memory_bytes
        limit_cpu(self._pid, self._cpu_before + limits.cpu_seconds)
        if self._is_contained:
            # Counted for each user namespace: there the container's first process is the one more. Outside, all
            # processes of the user would count.
            set_limit(self._pid, resource.RLIMIT_NPROC, soft=limits.tasks + 1, hard=limits.tasks + 1)

    def _read(self) -> Sample | None:
        return sample(self._pid, proc=self._proc)

    def _sample(self) -> None:
        if (now := self._read()) is None:
            return
        self._seen = replace(
            self._seen,
            cpu_seconds=max(self._seen.cpu_seconds, now.cpu_seconds - self._cpu_before),
            peak_memory_bytes=max(self._seen.peak_memory_bytes, now.memory_bytes - self._memory_before),
            peak_tasks=max(self._seen.peak_tasks, now.tasks),
            refused_tasks=self._seen.refused_tasks or int(now.tasks >= self._limits.tasks),
        )

    def cpu_seconds(self) -> float:
        """From the process's own counters, which it cannot change."""
        self._sample()
        return self._seen.cpu_seconds

    def look(self) -> str:
        """`memory` or `tasks` when the process grew over that limit."""
        self._sample()
        if self._seen.peak_memory_bytes > self._limits.memory_bytes + BASE_MEMORY_BYTES:
            self._seen = replace(self._seen, memory_kills=1, met_limit=True)
            return "memory"
        return "tasks" if self._seen.peak_tasks > self._limits.tasks else ""

    def usage(self) -> Usage:
        """What was seen at the last look or at the end."""
        self._sample()
        return self._seen

    def waited_seconds(self) -> float:
        """Since the process began, which is little before the job did."""
        return waited_seconds(self._pid, proc=self._proc)

    def ended(self, *, cpu_seconds: float, was_killed: bool) -> None:
        """The final CPU time, and whether the kernel killed for memory. Peak memory stays that of the looks."""
        kills = int(was_killed and killed_for_memory(proc=self._proc) > self._kills_before)
        cpu_seconds = max(self._seen.cpu_seconds, cpu_seconds - self._cpu_before)
        self._seen = replace(self._seen, cpu_seconds=cpu_seconds, memory_kills=self._seen.memory_kills or kills)
