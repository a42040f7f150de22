"""The child's two pipes, and the streams that student code prints to."""

from __future__ import annotations

import io
import os
import sys
from collections import deque
from dataclasses import dataclass, field, replace

from worker.sandbox.attempts import Attempt
from worker.sandbox.frames import TRUSTED_HEADER_BYTES, Frame, FrameReader, WireError, encode_frame
from worker.sandbox.job import CallResult, Limits, Unsupported
from worker.sandbox.results import result_frame

# What the client may send in one frame; the memory limit of the run caps it before that.
_COMMAND_BODY_BYTES = 2**30
_READ_BYTES = 1 << 20
_KEPT_CHARACTERS = Limits().kept_bytes

# Bound now, before student code could put its own in their place.
_read, _write, _memoryview = os.read, os.write, memoryview
_flush_text = io.TextIOWrapper.flush
_own_streams: list[io.TextIOWrapper] = []


@dataclass(slots=True)
class Pipes:
    """Commands come in on one descriptor, one at a time, and answers leave on the other."""

    commands: int
    results: int
    _reader: FrameReader = field(
        default_factory=lambda: FrameReader(max_header=TRUSTED_HEADER_BYTES, max_body=_COMMAND_BODY_BYTES)
    )
    _waiting: deque[Frame] = field(default_factory=deque)

    def receive(self) -> Frame | None:
        """The next command; None when the other side has closed the pipe. Raises: WireError (not a frame)."""
        while not self._waiting:
            data = _read(self.commands, _READ_BYTES)
            if not data:
                self._reader.finish()
                return None
            self._waiting += self._reader.feed(data)
        return self._waiting.popleft()

    def send(self, frame: Frame) -> None:
        """Write a frame, all that was printed before it first. Raises: OSError (the other side is gone)."""
        flush_printed()
        rest = _memoryview(encode_frame(frame))
        while rest:
            rest = rest[_write(self.results, rest) :]

    def send_result(self, result: CallResult) -> None:
        """Write a result; a value that no frame can hold is sent as `Unsupported`. Raises: as `send`."""
        try:
            frame = result_frame(result)
        except WireError as error:
            frame = result_frame(replace(result, value=Unsupported(kind=f"too large to be returned: {error}")))
        self.send(frame)


class PrintedText(io.TextIOWrapper):
    """A stream to a descriptor: UTF-8 whatever the environment.

    Written line by line as long as text is kept, so that nothing of it is lost when the process dies. Beyond that in
    blocks, and no flush is heeded: a flood of small pieces is to meet the limit on printed bytes, not that on time.
    """

    def __init__(self, descriptor: int) -> None:
        raw = io.FileIO(descriptor, "w", closefd=False)
        super().__init__(io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", line_buffering=True)
        vars(self)["mode"] = "w"
        self._left = _KEPT_CHARACTERS

    def write(self, text: str) -> int:
        """As any stream; counts, until enough was written."""
        self._left -= len(text)
        if self._left < 0:
            self._write_blocks()
        return super().write(text)

    def _write_blocks(self) -> None:
        self.reconfigure(line_buffering=False)
        # On the object, so that nothing of Python's is in the way of a print any more.
        vars(self).update(write=super().write, flush=_nothing)


def _nothing() -> None:
    pass


def open_streams() -> None:
    """Give `print` fresh streams on descriptors 1 and 2."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = PrintedText(number)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
        _own_streams.append(stream)


def flush_printed() -> None:
    """Hand on what was printed, also to streams that student code put in the place of ours."""
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        Attempt(_flush, stream)
    for stream in _own_streams:
        Attempt(_flush_text, stream)


def _flush(stream: io.TextIOBase) -> None:
    stream.flush()


class Silence(io.TextIOBase):
    """A stream that forgets what is written."""

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, text: str) -> int:
        """The number of characters, as if they had been written."""
        return len(text)
