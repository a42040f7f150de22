"""What the maker hears from the processes that it starts: words, or why there was none."""

import gc
import os
import socket

import pytest

from worker.sandbox import maker
from worker.sandbox.channel import Message, channel_pair, inherited_channel
from worker.sandbox.maker import ContainerError, Maker, Setting


@pytest.fixture
def talk():
    """The maker's end and the other one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        yield ours, theirs


def test_expected_word_is_taken(talk):
    ours, theirs = talk
    theirs.send(b"u")

    maker._expect(ours, b"u")


def test_other_word_names_what_failed(talk):
    ours, theirs = talk
    theirs.send(b"fmount: no")

    with pytest.raises(ContainerError, match="^mount: no$"):
        maker._expect(ours, b"u")


def test_first_process_that_died_is_a_failure(talk):
    ours, theirs = talk
    theirs.close()

    with pytest.raises(ContainerError, match="its first process died"):
        maker._expect(ours, b"u")


def test_maker_without_a_root_for_containers_says_so_for_each(monkeypatch):
    def refuse(_):
        raise OSError("mount: no")

    channel, theirs = channel_pair()
    other = inherited_channel(theirs)
    made = Maker(channel, Setting(has_groups=False))
    monkeypatch.setattr(maker, "prepare_root", refuse)

    made.prepare(())
    gc.unfreeze()
    made._answer(Message(kind="make", values={"name": "run-1"}))

    answer = other.receive()
    assert (answer.kind, answer.values) == ("failed", {"name": "run-1", "error": "mount: no"})
    channel.close()
    other.close()
    os.close(made._proc)
