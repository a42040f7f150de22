"""What a run must not be able to do, tried: the runner forks one process that runs these in place of a job.

Each probe is harmless, succeeds without isolation, and says in a word what happened. What can be seen from outside
(namespaces, ids, capabilities, descriptors) the runner looks up itself and does not ask here.
"""

from __future__ import annotations

import errno
import json
import os
import socket
from collections.abc import Callable

from worker.sandbox import kernel
from worker.sandbox.channel import read_exactly, write_all

DONE = "done"


def write_outside() -> None:
    """Make a file beside the standard library."""
    path = os.path.join(os.path.dirname(os.__file__), ".quizsite-probe")
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    os.unlink(path)


def write_root() -> None:
    """Make a folder in the root."""
    os.mkdir("/.quizsite-probe")
    os.rmdir("/.quizsite-probe")


def write_scratch() -> None:
    """Write to the scratch: the one thing here that must work."""
    with open("probe", "wb") as file:
        file.write(b"x" * 4096)
    os.unlink("probe")


def open_socket() -> None:
    """Open an internet socket."""
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()


def start_process() -> None:
    """Fork."""
    pid = os.fork()
    if pid == 0:  # pragma: no cover  (in a fork; probe: the control in tests/worker/sandbox/test_isolation.py)
        os._exit(0)
    os.waitpid(pid, 0)


def see_processes() -> None:
    """List the processes of the machine."""
    os.listdir("/proc/1")


def signal_init() -> None:
    """Ask whether the first process may be sent a signal."""
    os.kill(1, 0)


PROBES: dict[str, Callable[[], None]] = {
    probe.__name__: probe
    for probe in (write_outside, write_root, write_scratch, open_socket, start_process, see_processes, signal_init)
}


def attempt(probe: Callable[[], None]) -> str:
    """`done`, or the name of the error that stopped the probe."""
    try:
        probe()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    return DONE


def serve(commands: int, results: int) -> None:  # pragma: no cover  (behind the filter; probe: sandbox_check)
    """Run all probes, send what happened as JSON, wait to be looked at, then do what the filter kills for."""
    findings = {name: attempt(probe) for name, probe in PROBES.items()}
    write_all(results, json.dumps({"attempts": findings, "environment": sorted(os.environ)}).encode() + b"\n")
    read_exactly(commands, 1)
    kernel.unshare(kernel.Namespace.USER)
