"""Whether all calls that the filter denies are heard of, and the run gets the same answers."""

import errno
import platform
import struct

import pytest

from tests.upgrade.listening import ALLOW, ASK, ERROR, KILL, asking, decision, denied_calls
from worker.sandbox.filter import compiled_filter
from worker.sandbox.job import Call, CallProgram, Job

pytestmark = pytest.mark.sandbox
SOURCE = """
import os, socket, torch

def f():
    torch.softmax(torch.ones(3), 0)
    for attempt in (lambda: os.sched_setaffinity(0, {0}), socket.socket):
        try:
            attempt()
        except OSError:
            pass
    return 1
"""


def call(number, *arguments, architecture=0xC000_003E):
    return struct.pack("=iIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers are of that machine")
@pytest.mark.parametrize(
    ("data", "usual", "rewritten"),
    [
        (call(0), ALLOW, ALLOW),  # read
        (call(203), ERROR | errno.EPERM, ASK),  # sched_setaffinity
        (call(435), ERROR | errno.ENOSYS, ASK),  # clone3
        (call(41, 2), ERROR | errno.EAFNOSUPPORT, ASK),  # socket
        (call(16, 0, 0x5401), ALLOW, ALLOW),  # ioctl TCGETS
        (call(16, 0, 0x5412), ERROR | errno.ENOTTY, ASK),  # ioctl TIOCSTI
        (call(101), KILL, ASK),  # ptrace
        (call(0, architecture=0x4000_0003), KILL, ASK),  # another architecture
    ],
)
def test_filter_decides_as_it_says_and_asks_instead(data, usual, rewritten):
    program = compiled_filter()

    assert decision(program, data) == usual
    assert decision(asking(program), data) == rewritten


@pytest.mark.slow
def test_denied_calls_of_a_job_are_named():
    """Slow: a Python of its own warms up, for nothing else has a filter that asks."""
    quiet = SOURCE.replace("lambda: os.sched_setaffinity(0, {0}), socket.socket", "")
    jobs = [
        Job(id="x", program=CallProgram(source=source, entry="f", calls=(Call(name="only", visible=True),)))
        for source in (SOURCE, quiet)
    ]

    denied = denied_calls(jobs)

    assert (denied["sched_setaffinity: EPERM"], denied["socket(0x2): EAFNOSUPPORT"]) == (1, 1)
    assert "(not ended in time)" not in denied
