"""One client at the runner's socket: also one that is slow, rude, or gone."""

import selectors
import socket

import pytest

from worker.sandbox.connection import Connection
from worker.sandbox.frames import Frame, FrameReader, encode_frame


class Listener:
    """Notes who asked and who left."""

    def __init__(self):
        self.told = []

    def asked(self, connection, frames):
        self.told.append([frame.kind for frame in frames])

    def left(self, connection):
        self.told.append("left")


@pytest.fixture
def parts():
    """A connection, the client's end, the listener."""
    ours, theirs = socket.socketpair()
    listener = Listener()
    with selectors.DefaultSelector() as selector, ours, theirs:
        connection = Connection(ours, listener, selector=selector)
        yield connection, theirs, listener
        connection.close()


def test_nothing_to_read_is_no_end(parts):
    connection, _, listener = parts

    connection.handle()

    assert (connection.is_open, listener.told) == (True, [])


def test_client_that_closed_has_left(parts):
    connection, theirs, listener = parts
    theirs.close()

    connection.handle()

    assert (connection.is_open, listener.told) == (False, ["left"])


def test_client_that_reset_has_left(parts):
    connection, theirs, listener = parts
    connection._socket.send(b"unread")
    theirs.close()

    connection.handle()

    assert (connection.is_open, listener.told) == (False, ["left"])


def test_client_that_is_gone_when_it_is_answered_has_left(parts):
    connection, theirs, listener = parts
    theirs.close()

    connection.send(Frame(header={"kind": "status"}))
    connection.send(Frame(header={"kind": "status"}))

    assert (connection.is_open, listener.told) == (False, ["left"])


def test_client_that_is_gone_while_it_is_written_to_is_not_read(parts):
    connection, theirs, listener = parts
    connection._outgoing += b"x"
    theirs.close()

    connection.handle()

    assert listener.told == ["left"]


def test_slow_client_gets_all_before_the_connection_ends(parts):
    connection, theirs, _ = parts
    reader, got = FrameReader(max_header=1 << 16, max_body=1 << 30), []

    connection.send_last(Frame(header={"kind": "relay"}, body=bytes(4 << 20)))
    while connection.is_open:
        got += reader.feed(theirs.recv(1 << 20))
        connection.handle()
    while data := theirs.recv(1 << 20):
        got += reader.feed(data)

    assert [(frame.kind, len(frame.body)) for frame in got] == [("relay", 4 << 20)]


def test_connection_is_only_read_again_once_all_is_written(parts):
    connection, theirs, listener = parts
    connection.send(Frame(header={"kind": "relay"}, body=bytes(4 << 20)))
    while connection._outgoing:
        theirs.recv(1 << 20)
        connection.handle()

    theirs.sendall(encode_frame(Frame(header={"kind": "status"})))
    connection.handle()
    connection.handle()

    assert listener.told == [["status"]]


@pytest.mark.parametrize("header", [{"kind": "job", "frames": "many"}, {"kind": "job", "frames": True}])
def test_job_without_a_number_of_frames_is_answered(parts, header):
    connection, theirs, listener = parts
    theirs.sendall(encode_frame(Frame(header=header)))

    connection.handle()

    (answer,) = FrameReader(max_header=1 << 16).feed(theirs.recv(1 << 16))
    assert (answer.kind, answer.header["message"]) == ("fault", "not understood: expected a number of frames")
    assert (connection.is_open, listener.told) == (False, [])


def test_nothing_is_sent_once_the_connection_is_closed(parts):
    connection, theirs, _ = parts
    connection.close()
    connection.close()

    connection.send(Frame(header={"kind": "relay"}))

    assert theirs.recv(1) == b""


def test_request_is_asked_once_all_its_frames_are_there(parts):
    connection, theirs, listener = parts
    for frame in (Frame(header={"kind": "job", "frames": 1}), Frame(header={"kind": "program"})):
        assert listener.told == []
        theirs.sendall(encode_frame(frame))
        connection.handle()

    assert listener.told == [["job", "program"]]
