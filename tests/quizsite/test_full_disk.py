"""The supervisor goes on where its log and its console lie on a full disk: /dev/full is one."""

from pathlib import Path

import pytest

from quizsite.logs import Log
from quizsite.management.commands.up import Command

FULL = Path("/dev/full")


def test_log_on_a_full_disk_is_complained_of_once_and_faults_are_still_said(tmp_path):
    (tmp_path / "parts.log").symlink_to(FULL)
    said = []
    log = Log(tmp_path, said.append)

    for number in range(3):
        log.write("web", f"ERROR number {number}")
    log.close()

    (complaint,) = [line for line in said if not line.startswith("web | ")]
    assert "No space left on device" in complaint
    assert [line for line in said if line != complaint] == [f"web | ERROR number {number}" for number in range(3)]
    assert log.tail("web") == [f"ERROR number {number}" for number in range(3)]


def test_console_on_a_full_disk_ends_nothing():
    console = FULL.open("w")
    command = Command(stdout=console)

    command._say("Ready")

    with pytest.raises(OSError, match="No space left"):
        console.close()


def test_console_that_nobody_reads_ends_it():
    class Closed:
        def write(self, text):
            raise BrokenPipeError

        def isatty(self):
            return False

    with pytest.raises(BrokenPipeError):
        Command(stdout=Closed())._say("Ready")
