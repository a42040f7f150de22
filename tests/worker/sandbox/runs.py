"""Jobs for tests, and what a test may know of the machine around a run."""

import contextlib
import os
import struct
import textwrap
import threading
import time
from pathlib import Path

from worker.sandbox.job import Call, CallProgram, Job, Limits, ScriptProgram, TensorBytes

VECTOR = TensorBytes(dtype="float32", shape=(3,), data=struct.pack("<3f", 1.0, 2.0, 3.0))
NUMBERS = Path("/proc")


def call_job(source, *, visible=1, hidden=0, args=(VECTOR,), seed=0, lane="submission", **limits):
    """A job that calls `f`, `visible` then `hidden` times."""
    calls = [Call(name=f"case {number}", visible=number < visible, args=args) for number in range(visible + hidden)]
    program = CallProgram(source=textwrap.dedent(source), entry="f", calls=tuple(calls))
    return Job(id="test", program=program, limits=Limits(**limits), seed=seed, lane=lane)


def script_job(source, *, collect=(), **limits):
    """A job that runs a script."""
    program = ScriptProgram(source=textwrap.dedent(source), collect=collect)
    return Job(id="test", program=program, limits=Limits(**limits))


IDENTITY = call_job("def f(x):\n    return x\n")


def returned(report):
    """The value of a run's only result."""
    (result,) = report.results
    assert result.error is None, result.error
    return result.value


def wait_until(claim, *, seconds=10.0):
    """Wait until `claim()` holds; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def descendants(pid):
    """Every process below this one."""
    parents = {}
    for entry in NUMBERS.iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)] = int(fields[1])
    found, fresh = set(), {pid}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent in fresh} - found
        found |= fresh
    return found


def is_alive(pid):
    """Whether a process exists and is no zombie."""
    try:
        stat = (NUMBERS / str(pid) / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def group_folders(pid):
    """The control groups that a runner of this process id has made."""
    root = Path("/sys/fs/cgroup")
    return [path for path in root.glob(f"**/quizsite-{pid}-*") if path.is_dir()]


def mount_count():
    """How many mounts this process sees, but for those that an engine for containers may make at any time."""
    mounts = [line.split()[1:3] for line in (NUMBERS / "self/mounts").read_text().splitlines()]
    return sum(kind not in ("overlay", "nsfs") and "docker" not in place for place, kind in mounts)


class InBackground(threading.Thread):
    """Runs a function at the side; `answer()` waits for what it returned or raises what it raised."""

    def __init__(self, function, *args):
        super().__init__(daemon=True)
        self._function, self._args = function, args
        self._value = self._error = None
        self.start()

    def run(self):
        try:
            self._value = self._function(*self._args)
        except Exception as error:  # noqa: BLE001  (handed on to whoever asks)
            self._error = error

    def answer(self, seconds=30.0):
        self.join(seconds)
        assert not self.is_alive(), "no answer in time"
        if self._error is not None:
            raise self._error
        return self._value


def is_root():
    """Whether the runner will have the right to use many ids and control groups here."""
    return os.geteuid() == 0
