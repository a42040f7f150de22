"""The streams that student code prints to: line by line while text is kept, in blocks beyond."""

import os

import pytest

from worker.sandbox import pipes
from worker.sandbox.pipes import PrintedText, Silence


@pytest.fixture
def stream(monkeypatch):
    """A stream of which ten characters are kept, and where it can be read."""
    monkeypatch.setattr(pipes, "_KEPT_CHARACTERS", 10)
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    printed = PrintedText(writer)
    yield printed, reader
    printed.close()
    os.close(reader)
    os.close(writer)


def read(reader):
    """What is there now."""
    try:
        return os.read(reader, 1 << 16)
    except BlockingIOError:
        return b""


def test_line_that_is_kept_is_written_at_once(stream):
    printed, reader = stream

    assert printed.write("one\n") == 4

    assert read(reader) == b"one\n"


def test_lines_beyond_what_is_kept_are_written_in_blocks_and_no_flush_is_heeded(stream):
    printed, reader = stream
    print("0123456789", file=printed)
    print("more", file=printed, flush=True)
    printed.flush()
    assert read(reader) == b"0123456789"

    pipes._flush_text(printed)

    assert read(reader) == b"\nmore\n"


def test_silence_takes_all_and_keeps_nothing():
    silence = Silence()

    assert (silence.writable(), silence.write("four")) == (True, 4)
