"""What trusted code calls: a job goes to the runner, results come back as they are made, then the report."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from worker.sandbox.commands import PROTOCOL, job_frame, job_frames
from worker.sandbox.frames import (
    CHILD_HEADER_BYTES,
    TRUSTED_HEADER_BYTES,
    Frame,
    FrameReader,
    WireError,
    encode_frame,
)
from worker.sandbox.job import (
    CallResult,
    Job,
    ProtocolMismatchError,
    RunnerLostError,
    RunnerUnavailableError,
    RunReport,
    Status,
    StudentError,
    TensorSummary,
)
from worker.sandbox.reports import read_report
from worker.sandbox.results import read_inspection, read_load_error, read_result

_READ_BYTES = 256 * 1024
# Around the child's frame stand the lengths of both; its body is capped by the runner.
_LARGEST_BODY = 1 << 30
_CONNECT_SECONDS = 2.0
# Beyond a job's own wall limit: waiting for a slot, for a container, for a template that is being replaced.
_PATIENCE_SECONDS = 600.0
# What a run that sent something else than results may not be called: it did not merely end without one.
_OUTRANKED_BY_WIRE = (Status.FINISHED, Status.EXITED, Status.GARBLED)


@dataclass(slots=True)
class _Received:
    """What a child said, read by our own parser; `wire_error` is set by the first thing that is no result."""

    results: list[CallResult] = field(default_factory=list)
    load_error: StudentError | None = None
    value_text: str | None = None
    tensors: tuple[TensorSummary, ...] = ()
    wire_error: str = ""


class Client:
    """A runner at a socket. Each job is a connection of its own, so that one client may be used from many threads."""

    def __init__(self, socket_path: Path) -> None:
        self._path = socket_path

    def run(self, job: Job, on_result: Callable[[CallResult], None] | None = None) -> RunReport:
        """Run a job to its end. `on_result` is called for each result as it arrives.

        Raises:
            RunnerUnavailableError: no runner answers.
            ProtocolMismatchError: one of another release does; nothing was run.
            RunnerLostError: it died during the job, or could not run it.
            WireError: a value of the job is over the caps of the wire.
        """
        commands = job_frames(job)
        received = _Received()
        with self._connect(_PATIENCE_SECONDS) as connection:
            _send(connection, [job_frame(job, commands), *commands])
            for frame in _frames(connection):
                match frame.kind:
                    case "relay":
                        _take(frame, received, on_result)
                    case "report":
                        return _combine(read_report(frame), received)
                    case _:
                        _require_same_protocol(frame)
                        raise RunnerLostError(f"the runner could not run the job: {frame.header.get('message')}")
        raise RunnerLostError("the runner ended during the job")

    def status(self) -> dict[str, Any]:
        """Mode, layers, versions, slots, age of the template.

        Raises:
            RunnerUnavailableError: no runner answers.
            ProtocolMismatchError: one of another release does.
        """
        with self._connect(_CONNECT_SECONDS) as connection:
            _send(connection, [Frame(header={"kind": "status"})])
            for frame in _frames(connection):
                _require_same_protocol(frame)
                return {name: value for name, value in frame.header.items() if name != "kind"}
        raise RunnerUnavailableError("the runner ended before it answered")

    def _connect(self, seconds: float) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(_CONNECT_SECONDS)
        try:
            connection.connect(str(self._path))
        except OSError as error:
            connection.close()
            raise RunnerUnavailableError(f"no runner answers: {error.strerror or error}") from error
        connection.settimeout(seconds)
        return connection


def _require_same_protocol(frame: Frame) -> None:
    found = frame.header.get("protocol")
    if found != PROTOCOL:
        raise ProtocolMismatchError(
            f"the runner speaks version {found} of the protocol, the worker version {PROTOCOL}: "
            "start the same release of both"
        )


def _send(connection: socket.socket, frames: list[Frame]) -> None:
    try:
        connection.sendall(b"".join(encode_frame(frame) for frame in frames))
    except OSError as error:
        raise RunnerUnavailableError(f"the runner ended while it was asked: {error.strerror or error}") from error


def _frames(connection: socket.socket) -> Iterator[Frame]:
    """The runner's frames until it closes the connection."""
    reader = FrameReader(max_header=TRUSTED_HEADER_BYTES, max_body=_LARGEST_BODY)
    while True:
        try:
            data = connection.recv(_READ_BYTES)
        except OSError as error:
            raise RunnerLostError(f"the runner does not answer: {error.strerror or error}") from error
        if not data:
            return
        yield from reader.feed(data)


def _take(frame: Frame, received: _Received, on_result: Callable[[CallResult], None] | None) -> None:
    """Read what the child said. After the first fault nothing more of it is believed."""
    if received.wire_error:
        return
    try:
        reader = FrameReader(max_header=CHILD_HEADER_BYTES, max_body=_LARGEST_BODY)
        for said in reader.feed(frame.body):
            result = _read(said, received)
            if result is not None and on_result is not None:
                on_result(result)
    except WireError as error:
        received.wire_error = str(error)


def _read(said: Frame, received: _Received) -> CallResult | None:
    match said.kind:
        case "result":
            result = read_result(said)
            received.results.append(result)
            return result
        case "load_error":
            received.load_error = read_load_error(said)
        case "inspection":
            received.value_text, received.tensors = read_inspection(said)
    return None


def _combine(report: RunReport, received: _Received) -> RunReport:
    whole = replace(
        report,
        results=tuple(received.results),
        load_error=received.load_error,
        value_text=received.value_text,
        tensors=received.tensors,
    )
    if received.wire_error and report.status in _OUTRANKED_BY_WIRE:
        detail = "What the run sent as its result is not a result."
        evidence = f"{report.evidence}; wire: {received.wire_error}"
        return replace(whole, status=Status.GARBLED, detail=detail, evidence=evidence)
    return whole
