"""What the maker reads from the processes that it starts: words, or why there was none."""

import socket

import pytest

from worker.sandbox import maker
from worker.sandbox.maker import ContainerError


@pytest.fixture
def talk():
    """The maker's end and the other one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        yield ours, theirs


def test_number_of_the_first_process_is_read():
    assert maker._pid_in(b"4321") == 4321


@pytest.mark.parametrize(
    ("answer", "words"), [(b"", "its starter died"), (b"fno processes left", "^no processes left$")]
)
def test_starter_without_a_number_is_a_failure(answer, words):
    with pytest.raises(ContainerError, match=words):
        maker._pid_in(answer)


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
