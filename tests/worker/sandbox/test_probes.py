"""A probe's end in a word: done, or the error that stopped it."""

import errno

import pytest

from worker.sandbox import probes


@pytest.mark.parametrize(
    ("error", "word"),
    [(OSError(errno.EPERM, "no"), "EPERM"), (OSError("without a number"), "without a number"), (None, "done")],
)
def test_attempt_is_told_in_a_word(error, word):
    def probe():
        if error is not None:
            raise error

    assert probes.attempt(probe) == word
