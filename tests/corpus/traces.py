"""What a run could leave behind on the machine, counted before and after."""

import ctypes
import gc
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.worker.sandbox.runs import descendants, mount_count
from tests.worker.sandbox.test_runner_death import program_of
from worker.sandbox.hierarchies import start_time
from worker.sandbox.machine import _FIRST_ID, _LAST_ID

PROC = Path("/proc")
PLACES = (Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path("/run"))

# What an engine for containers on the same machine may make at any time.
_ENGINES_DEVICES = ("br-", "docker", "veth")


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A process that stays: which it is, how many threads it has, and what it holds open."""

    pid: int
    started: int
    threads: int
    descriptors: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """Equal before and after a run, once the reserve is full again."""

    mounts: int
    groups: int
    devices: tuple[str, ...]
    ipc: int
    files: tuple[str, ...]
    processes: int
    warm: Program
    maker: Program
    own_descriptors: int
    runner_descriptors: int


def traces(arena):
    """Of this process, of the runner and its helpers, and of the machine's shared places."""
    return Traces(
        mounts=mount_count(),
        groups=len(run_groups(arena)),
        devices=tuple(sorted(name for name in os.listdir("/sys/class/net") if not name.startswith(_ENGINES_DEVICES))),
        ipc=sum(1 for _ in _ipc_objects()),
        files=tuple(sorted(_files_of_runs())),
        processes=len(descendants(arena.pid)),
        warm=program(program_of(arena.pid, "template")),
        maker=program(program_of(arena.pid, "maker")),
        own_descriptors=len(os.listdir("/proc/self/fd")),
        runner_descriptors=len(os.listdir(f"/proc/{arena.pid}/fd")),
    )


def run_groups(arena):
    """Names of control groups of runs, each with the tasks in it: process id and start time."""
    found = {}
    for base in arena.groups:
        for name in os.listdir(base):
            if name.startswith("run-"):
                found.setdefault(name, set()).update(_tasks(base / name))
    return found


def _tasks(group):
    try:
        pids = (group / "cgroup.procs").read_text().split()
    except OSError:
        return set()
    return {(int(pid), start_time(int(pid))) for pid in pids}


def is_alive(task):
    pid, started = task
    return started != 0 and start_time(pid) == started


def program(pid):
    fields = (PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    return Program(pid=pid, started=int(fields[19]), threads=int(fields[17]), descriptors=_descriptors(pid))


def _descriptors(pid):
    folder = PROC / str(pid) / "fd"
    # Pidfds of the reserve are as many as before; they are numbered afresh.
    return tuple(sorted(os.readlink(folder / name) for name in os.listdir(folder)))


def _ipc_objects():
    """System V objects that a run's id has made."""
    for kind in ("shm", "sem", "msg"):
        head, *lines = (PROC / "sysvipc" / kind).read_text().splitlines()
        owner = head.split().index("uid")
        yield from (line for line in lines if _is_of_a_run(int(line.split()[owner])))


def _files_of_runs():
    """What lies in places where anyone may write and belongs to the id of a run."""
    for place in {path for path in PLACES if path.is_dir()}:
        for entry in os.scandir(place):
            try:
                owner = entry.stat(follow_symlinks=False).st_uid
            except FileNotFoundError:
                continue
            if _is_of_a_run(owner):
                yield entry.path


def _is_of_a_run(owner):
    return _FIRST_ID <= owner < _LAST_ID


def resident_bytes(pid="self"):
    """Resident size; of this process after everything was given back that can be."""
    if pid == "self":
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
    return int((PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
