"""A Python that has loaded torch, and runs programs in forks of itself: loading it takes seconds, a fork none.

Run as `python -m tests.torch_forks`, its end of a socket pair being descriptor 0. Each request hands over standard
input, output and errors, and a file with the program; the answer is the wait status of the fork.
"""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOADED = "import torch; from tests.torch_forks import serve; serve()"


class TorchForks:
    """Runs programs where torch is loaded already."""

    def __init__(self, end):
        self._end = end

    def run(self, program, text=""):
        """The ended program, with what it wrote; `text` was its input."""
        with contextlib.ExitStack() as files:
            given, said, errors, source = (files.enter_context(tempfile.TemporaryFile("w+")) for _ in range(4))
            for file, content in ((given, text), (source, program)):
                file.write(content)
                file.seek(0)
            socket.send_fds(self._end, [b"x"], [file.fileno() for file in (given, said, errors, source)])
            status = os.waitstatus_to_exitcode(int.from_bytes(self._end.recv(4), "big"))
            for file in (said, errors):
                file.seek(0)
            return subprocess.CompletedProcess([], status, said.read(), errors.read())


@contextlib.contextmanager
def torch_forks():
    """A process that serves until the block is left."""
    ours, theirs = socket.socketpair()
    with ours, subprocess.Popen([sys.executable, "-c", LOADED], stdin=theirs, cwd=ROOT) as process:
        theirs.close()
        yield TorchForks(ours)
        ours.close()
        process.wait(60)


def serve():
    """Answer requests until the other end is closed."""
    requests = socket.socket(fileno=0)
    while True:
        _, descriptors, _, _ = socket.recv_fds(requests, 1, 4)
        if not descriptors:
            return
        pid = os.fork()
        if not pid:
            _run(descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        requests.sendall(os.waitpid(pid, 0)[1].to_bytes(4, "big"))


def _run(descriptors):
    for number, descriptor in enumerate(descriptors[:3]):
        os.dup2(descriptor, number)
    source, status = Path(f"/proc/self/fd/{descriptors[3]}").read_text(), 0
    try:
        exec(compile(source, "<program>", "exec"), {"__name__": "__main__"})
    except BaseException:  # noqa: BLE001  (as Python itself ends a program)
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
