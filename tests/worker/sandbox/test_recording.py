import os

import pytest

from worker.sandbox.recording import Stream


@pytest.fixture
def pipe():
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    yield reader, writer
    os.close(reader)


def recorded(pipe, *pieces, kept_bytes=100):
    reader, writer = pipe
    stream = Stream(reader, kept_bytes)
    for piece in pieces:
        os.write(writer, piece)
        stream.read()
    os.close(writer)
    stream.read()
    return stream


def test_text_is_kept_and_counted(pipe):
    stream = recorded(pipe, b"one\n", b"two\n")

    assert (stream.text(), stream.counted, stream.is_cut) == ("one\ntwo\n", 8, False)


def test_text_beyond_the_cap_is_counted_only(pipe):
    stream = recorded(pipe, b"0123456789", b"more", kept_bytes=5)

    assert (stream.text(), stream.counted, stream.is_cut) == ("01234", 14, True)


def test_character_cut_at_the_cap_does_not_make_the_text_longer(pipe):
    stream = recorded(pipe, "aé".encode(), kept_bytes=2)

    assert len(stream.text().encode()) <= 2
    assert stream.text().startswith("a")


def test_bytes_that_are_no_text_stay_within_the_cap(pipe):
    stream = recorded(pipe, b"\xff" * 50, kept_bytes=50)

    assert len(stream.text().encode()) <= 50
    assert set(stream.text()) == {"\ufffd"}


def test_nothing_is_kept_after_recording_is_closed(pipe):
    reader, writer = pipe
    stream = Stream(reader, 100)
    os.write(writer, b"shown")
    stream.read()

    stream.close_recording()
    os.write(writer, b"hidden")
    stream.read()
    os.close(writer)

    assert (stream.text(), stream.counted, stream.is_cut) == ("shown", 11, False)


def test_one_read_takes_no_more_than_a_pipe_holds(pipe, monkeypatch):
    pieces = iter([b"x"] * 40)
    monkeypatch.setattr(os, "read", lambda *_: next(pieces))
    stream = Stream(pipe[0], 100)

    stream.read()

    assert stream.counted == 16
    monkeypatch.undo()
    os.close(pipe[1])
