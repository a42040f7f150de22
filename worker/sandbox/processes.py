"""What is asked of the system about processes, in one place: on Linux by pidfds and `/proc`, elsewhere by POSIX alone.

Elsewhere (macOS) only reduced isolation can be had, and it was tried on Linux with these means taken away.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import subprocess
from dataclasses import dataclass
from pathlib import Path

from worker.sandbox import kernel

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_PS = "/bin/ps"
_DESCRIPTORS = "/dev/fd"
# For clients that connect, and for counters that are read.
_SPARE_DESCRIPTORS = 64
# What macOS gives one at first.
_SMALLEST_PIPE_BYTES = 16 * 1024
PROC = Path("/proc")
OWN_SCORE = "/proc/self/oom_score_adj"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What a process has used, as seen at one moment."""

    cpu_seconds: float
    memory_bytes: int
    tasks: int


def processors() -> int:
    """How many this process may run on."""
    # macOS does not bind processes to processors.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def watch_end(pid: int) -> int | None:
    """A descriptor that can be read once the process has ended; None where there is no such thing."""
    return os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None


def close_from(lowest: int) -> None:
    """Close every descriptor from `lowest` on.

    Elsewhere they are listed, since a limit on their number says nothing of those that were open before it was set.
    """
    if kernel.IS_LINUX:
        kernel.close_from(lowest)
        return
    for name in os.listdir(_DESCRIPTORS):
        if int(name) >= lowest:
            # The listing's own is among them, and closed by now.
            with contextlib.suppress(OSError):
                os.close(int(name))


def allow_descriptors() -> None:
    """Raise this process's limit on descriptors, and that of what it starts, as far as it may."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # macOS refuses what it calls the hard limit.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def are_descriptors_short(highest: int) -> bool:
    """Whether a process whose newest descriptor is `highest` has not enough left for what it opens now and then."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft != resource.RLIM_INFINITY and highest >= soft - _SPARE_DESCRIPTORS


def set_limit(pid: int, kind: int, *, soft: int, hard: int) -> None:
    """Limit another process, where the system lets one; nothing if it is no more."""
    if hasattr(resource, "prlimit"):
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, kind, (soft, hard))


def prefer_as_victim() -> None:
    """Have the kernel end this process before others when memory runs out, where it can be told."""
    if kernel.IS_LINUX:
        # Not as text: what a run has of the machinery for that is copied at its first touch.
        descriptor = os.open(OWN_SCORE, os.O_WRONLY | os.O_CLOEXEC)
        os.write(descriptor, b"1000")
        os.close(descriptor)


def widen_pipe(descriptor: int, size_bytes: int) -> int:
    """Give a pipe this much room, where the system lets one (a user has a limit on it), and tell how much it has."""
    if not hasattr(fcntl, "F_SETPIPE_SZ"):
        return _SMALLEST_PIPE_BYTES
    with contextlib.suppress(OSError):
        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, size_bytes)
    return fcntl.fcntl(descriptor, fcntl.F_GETPIPE_SZ)


def sample(pid: int, *, proc: Path = PROC) -> Sample | None:
    """What the process has used; None when it is no more."""
    return _sample_of_proc(proc / str(pid)) if kernel.IS_LINUX else _sample_of_ps(pid)


def _sample_of_proc(folder: Path) -> Sample | None:
    try:
        # Bytes: a process gives itself what name it likes.
        fields = (folder / "stat").read_bytes().rpartition(b")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # Source: proc(5): utime, stime, num_threads, rss are fields 14, 15, 20, 24; the name ended field 2.
    ticks, tasks, pages = int(fields[11]) + int(fields[12]), int(fields[17]), int(fields[21])
    memory_bytes = pages * _PAGE_BYTES + _page_table_bytes(folder)
    return Sample(cpu_seconds=ticks / _TICKS, memory_bytes=memory_bytes, tasks=tasks)


def _page_table_bytes(folder: Path) -> int:
    """What maps addresses to pages: much, where very many addresses are only read, which takes no pages."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for line in (folder / "status").read_bytes().splitlines():
            if line.startswith(b"VmPTE:"):
                return int(line.split()[1]) * 1024
    return 0


def _sample_of_ps(pid: int) -> Sample | None:
    """POSIX tells no number of threads: one is taken."""
    command = [_PS, "-o", "time=", "-o", "rss=", "-p", str(pid)]
    words = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
    if len(words) != len(("time", "rss")):
        return None
    return Sample(cpu_seconds=_seconds(words[0]), memory_bytes=int(words[1]) * 1024, tasks=1)


def _seconds(text: str) -> float:
    """Of a time as `ps` writes it: `[[days-]hours:]minutes:seconds[.hundredths]`."""
    days, _, clock = text.rpartition("-")
    seconds = 0.0
    for part in clock.split(":"):
        seconds = seconds * 60 + float(part)
    return seconds + int(days or 0) * 86_400
