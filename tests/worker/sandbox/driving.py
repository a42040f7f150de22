"""Plays the runner for a child in a plain fork: feeds commands one at a time, collects what comes back."""

import contextlib
import functools
import os
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.worker.sandbox.measuring import measured
from worker.sandbox import wire
from worker.sandbox.job import (
    Call,
    CallProgram,
    CallResult,
    CasesProgram,
    Job,
    Limits,
    Program,
    ScriptProgram,
    StudentError,
    TensorBytes,
    TensorSummary,
)

ROOT = Path(__file__).resolve().parents[3]


def floats(*numbers: float, shape: tuple[int, ...] | None = None) -> TensorBytes:
    """Numbers as a tensor of float32."""
    return TensorBytes(
        dtype="float32",
        shape=(len(numbers),) if shape is None else shape,
        data=struct.pack(f"<{len(numbers)}f", *numbers),
    )


@dataclass
class Ran:
    """All that a child said."""

    kinds: list[str] = field(default_factory=list)
    results: dict[int, CallResult] = field(default_factory=dict)
    load_error: StudentError | None = None
    value_text: str | None = None
    tensors: tuple[TensorSummary, ...] = ()
    printed: str = ""
    errors: str = ""
    status: int = 0

    @property
    def value(self):
        """The value of the only result."""
        assert self.load_error is None, self.load_error
        (result,) = self.results.values()
        assert result.error is None, result.error
        return result.value

    @property
    def error(self) -> StudentError:
        """The error of the only result."""
        (result,) = self.results.values()
        assert result.error is not None, result.value
        return result.error


class WarmChild:
    """The warm process, which serves one program after the other."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end

    def run(self, program: Program, *, seed: int = 0, limits: Limits | None = None) -> Ran:
        """Run a program to its end."""
        job = Job(id="test", program=program, seed=seed, limits=limits or Limits())
        return self._serve(functools.partial(_converse, job=job))

    def write(self, data: bytes) -> Ran:
        """Write these bytes as commands, and close the pipe."""
        return self._serve(functools.partial(_write_only, data=data))

    def _serve(self, talk: Callable[[Ran, int, int], None]) -> Ran:
        commands, results = os.pipe(), os.pipe()
        with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as errors:
            theirs = [commands[0], results[1], printed.fileno(), errors.fileno()]
            socket.send_fds(self.end, [b"x"], theirs)
            os.close(commands[0])
            os.close(results[1])
            ran = Ran()
            with contextlib.suppress(BrokenPipeError):
                talk(ran, commands[1], results[0])
            with contextlib.suppress(OSError):
                os.close(commands[1])
            os.close(results[0])
            ran.status = os.waitstatus_to_exitcode(int.from_bytes(self.end.recv(4), "big"))
            ran.printed, ran.errors = _text(printed), _text(errors)
        return ran

    def call(self, source: str, *args, entry: str = "f", **kwargs) -> Ran:
        """Call one function once."""
        return self.calls(source, Call(name="a", visible=True, args=args, kwargs=kwargs), entry=entry)

    def calls(self, source: str, *calls: Call, entry: str = "f", **options) -> Ran:
        """Call one entry several times."""
        return self.run(CallProgram(source=source, entry=entry, calls=calls), **options)

    def script(self, source: str, *collect: str, limits: Limits | None = None, **fields) -> Ran:
        """Run a script and collect variables."""
        return self.run(ScriptProgram(source=source, collect=collect, **fields), limits=limits)

    def cases(self, source: str, *seeds: int) -> Ran:
        """Run an author's cases."""
        return self.run(CasesProgram(source=source, seeds=seeds))


def _text(file) -> str:
    file.seek(0)
    return file.read().decode("utf-8")


def _write_only(ran: Ran, commands: int, results: int, *, data: bytes) -> None:
    _write(commands, data)
    os.close(commands)
    for frame in wire.FrameReader().feed(os.read(results, 1 << 16)):
        _note(ran, frame)


def _converse(ran: Ran, commands: int, results: int, *, job: Job) -> None:
    reader = wire.FrameReader(max_body=wire.body_cap(job.limits))
    frames = [*wire.job_frames(job), wire.END]
    os.write(commands, wire.encode_frame(frames.pop(0)))
    if not isinstance(job.program, CallProgram):
        os.write(commands, wire.encode_frame(frames.pop(0)))
    while data := os.read(results, 1 << 16):
        for frame in reader.feed(data):
            _note(ran, frame)
            if frame.kind in ("loaded", "result") and frames:
                _write(commands, wire.encode_frame(frames.pop(0)))
    reader.finish()


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _note(ran: Ran, frame: wire.Frame) -> None:
    ran.kinds.append(frame.kind)
    if frame.kind == "load_error":
        ran.load_error = wire.read_load_error(frame)
    elif frame.kind == "result":
        result = wire.read_result(frame)
        ran.results[result.index] = result
    elif frame.kind == "inspection":
        ran.value_text, ran.tensors = wire.read_inspection(frame)


@contextlib.contextmanager
def warm_child() -> Iterator[WarmChild]:
    """A warm process that ends with the context."""
    ours, theirs = socket.socketpair()
    environment = measured({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"})
    command = [sys.executable, "-m", "tests.worker.sandbox.warm_child"]
    with ours, subprocess.Popen(command, stdin=theirs, env=environment, cwd=ROOT) as process:
        theirs.close()
        yield WarmChild(ours)
        ours.close()
        process.wait(60)
