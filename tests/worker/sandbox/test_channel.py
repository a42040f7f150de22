import os

import pytest

from worker.sandbox.channel import (
    ChannelClosedError,
    channel_pair,
    close_all,
    inherited_channel,
    read_exactly,
    write_all,
)


@pytest.fixture
def pair():
    ours, descriptor = channel_pair()
    theirs = inherited_channel(descriptor)
    yield ours, theirs
    ours.close()
    theirs.close()


def test_message_arrives_with_its_descriptors(pair):
    ours, theirs = pair
    reader, writer = os.pipe()

    ours.send("fork", name="run-1", size=3, descriptors=(writer,))
    message = theirs.receive()

    assert (message.kind, message.values) == ("fork", {"name": "run-1", "size": 3})
    os.write(message.descriptors[0], b"x")
    assert os.read(reader, 1) == b"x"
    close_all([reader, writer, *message.descriptors])


def test_messages_stay_apart(pair):
    ours, theirs = pair

    ours.send("one")
    ours.send("two")

    assert [theirs.receive().kind, theirs.receive().kind] == ["one", "two"]


def test_end_of_the_other_side_is_told(pair):
    ours, theirs = pair

    theirs.close()

    with pytest.raises(ChannelClosedError):
        ours.receive()
    with pytest.raises(ChannelClosedError):
        ours.send("anyone")


def test_end_of_the_other_side_with_unread_messages_is_told(pair):
    ours, theirs = pair
    ours.send("unread")

    theirs.close()

    with pytest.raises(ChannelClosedError):
        ours.receive()


def test_bytes_are_written_and_read_whole():
    reader, writer = os.pipe()

    write_all(writer, b"0123456789")
    os.close(writer)

    assert read_exactly(reader, 4) == b"0123"
    assert read_exactly(reader, 100) == b"456789"
    close_all([reader, writer])
    close_all([reader])
