"""What must be true after every run, whatever its verdict: U1 to U12 of the published set."""

import contextlib
import gc
import hashlib
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from tests.corpus.arena import prepared
from tests.corpus.neighbour import Neighbour
from tests.corpus.shown import faults_of_form, leaks
from tests.corpus.traces import Traces, is_alive, resident_bytes, run_groups, traces
from tests.worker.sandbox.runs import wait_until

GROWN_BYTES = 5 * 1024 * 1024
_PACKAGES = Path(sys.prefix) / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
_LIBRARY = Path(os.__file__).parent
# Shared by all runs and read by most: the libraries of torch that hold code, and modules of torch, numpy and Python.
SAMPLE = (
    *(_PACKAGES / "torch" / "lib" / f"{name}.so" for name in ("libtorch_cpu", "libtorch_python", "libc10", "libshm")),
    *(_PACKAGES / "torch" / name for name in ("__init__.py", "_tensor.py", "nn/functional.py", "optim/adam.py")),
    _PACKAGES / "numpy" / "__init__.py",
    *(_LIBRARY / name for name in ("os.py", "json/__init__.py", "site.py", "linecache.py")),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """The machine before a run."""

    traces: Traces
    groups: dict
    served: int
    own_bytes: int
    runner_bytes: int
    stamps: tuple


def look(arena):
    """The machine at rest, and this process without what earlier tests left to the collector."""
    arena.wait_for_rest()
    gc.collect()
    return Before(
        traces=traces(arena),
        groups=run_groups(arena),
        served=arena.client.status()["served"],
        own_bytes=resident_bytes(),
        runner_bytes=resident_bytes(arena.pid),
        stamps=stamps(SAMPLE),
    )


@contextlib.contextmanager
def nothing_is_left(arena, usual_canary):
    """What runs in the block leaves the machine as it was, and a neighbour alone: U1 to U5, U9, U10, U12."""
    before = look(arena)
    with Neighbour(arena) as neighbour:
        yield
    require_tasks_gone(arena, before)
    assert set(neighbour.verdicts) == {"accepted"}
    assert arena.canary() == usual_canary
    after = look(arena)
    assert replace(after.traces, own_descriptors=0) == replace(before.traces, own_descriptors=0)
    assert after.traces.own_descriptors <= before.traces.own_descriptors
    assert after.stamps == before.stamps
    assert after.own_bytes - before.own_bytes < GROWN_BYTES
    assert after.runner_bytes - before.runner_bytes < GROWN_BYTES


def require_tasks_gone(arena, before):
    """Each run that was served has taken one group of the reserve; within 1 s it is gone with all that was in it."""
    wait_until(lambda: not arena.client.status()["containers"]["closing"], seconds=1.0)
    left = run_groups(arena).keys() & before.groups.keys()
    served = arena.client.status()["served"] - before.served
    assert len(left) == max(len(before.groups) - served, 0)
    tasks = {task for name, members in before.groups.items() if name not in left for task in members}
    assert tasks
    assert not [task for task in tasks if is_alive(task)]


def require_one_fair_end(arena, graded, exercise):
    """One verdict, not ours; one audit line with its cause; nothing in it that students may not see: U6 to U8, U11."""
    assert graded.verdict != "internal_error"
    (line,) = arena.audit_lines(graded.id)
    # What the runner passes on unread may prove to be no result where it is read.
    if "; wire:" not in graded.evidence:
        assert line["status"] == graded.report.status
    assert line["sign"]
    assert float(line["cpu"]) >= 0
    assert int(line["memory"]) > 0
    assert int(line["tasks"]) >= 1
    assert leaks(graded, prepared(exercise, arena)) == []
    assert faults_of_form(graded) == []


def stamps(paths):
    """Size, inode and times of files: they change with any write through the file system."""
    found = [path.stat() for path in paths]
    return tuple((each.st_ino, each.st_size, each.st_mtime_ns, each.st_ctime_ns) for each in found)


def checksum(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
