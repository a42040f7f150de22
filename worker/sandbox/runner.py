"""The supervisor of runs: `python -m worker.sandbox.runner --socket PATH [--slots N] [--for-group] [--allow-reduced]`.

It starts a maker and a warm template, tests every layer of isolation on a real container, and only then takes jobs on
its socket. It ends with its parent, and everything ends with it.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import socket
import sys
from pathlib import Path

from worker.sandbox import kernel
from worker.sandbox.job import SandboxError
from worker.sandbox.machine import explore
from worker.sandbox.processes import allow_descriptors
from worker.sandbox.server import Server, StoppedError
from worker.sandbox.tightness import OpenLayerError

# Source: sysexits.h, EX_CONFIG and EX_SOFTWARE.
REFUSED_STATUS = 78
FAULT_STATUS = 70
_BACKLOG = 128
_NICENESS = -10

log = logging.getLogger("worker.sandbox.runner")


def parse(arguments: list[str]) -> argparse.Namespace:
    """The command line. Raises: SystemExit (2) when it is not understood."""
    parser = argparse.ArgumentParser(prog="python -m worker.sandbox.runner", description=__doc__)
    parser.add_argument("--socket", type=Path, required=True, help="where to take jobs: path of a Unix socket")
    parser.add_argument("--slots", type=int, default=os.cpu_count() or 1, help="runs at a time (default: cores)")
    parser.add_argument("--for-group", action="store_true", help="take jobs from everyone of this process's group")
    parser.add_argument("--allow-reduced", action="store_true", help="serve even where isolation is open")
    parser.add_argument("--log-level", default="INFO", choices=["DEBUG", "INFO", "WARNING", "ERROR"])
    parsed = parser.parse_args(arguments)
    if parsed.slots < 1:
        parser.error("--slots must be at least 1")
    return parsed


def main(arguments: list[str]) -> int:
    """Serve until a signal or the parent's end: 0; 78 when a layer is open, 70 when maker or template fail."""
    parsed = parse(arguments)
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(OneLine("%(asctime)s %(levelname)s runner: %(message)s"))
    logging.basicConfig(level=parsed.log_level, handlers=[lines])
    parent = os.getppid()
    machine = explore()
    if kernel.IS_LINUX:
        # After `explore`, since entering a user namespace makes the kernel forget it.
        kernel.die_with_parent(signal.SIGTERM)
        kernel.set_name("quizsite-runner")
    allow_descriptors()
    if os.getppid() != parent:
        return 0
    # Limits must be kept also where runs keep every core busy; only root may go first.
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, _NICENESS)
    server = Server(machine, slots=parsed.slots, allow_reduced=parsed.allow_reduced)
    _stop_on_signals(server)
    try:
        server.start()
        with listening(parsed.socket, for_group=parsed.for_group) as listener:
            server.listen(listener)
            log.info("serving on %s: mode %s, %d slots", parsed.socket, machine.mode, parsed.slots)
            server.serve()
    except StoppedError as stopped:
        log.info("%s", stopped)
    except OpenLayerError as error:
        log.error("%s", error)
        return REFUSED_STATUS
    except SandboxError as error:
        log.error("%s", error)
        return FAULT_STATUS
    finally:
        server.close()
    return 0


class OneLine(logging.Formatter):
    """No value looks like another line, or moves a terminal's cursor: control characters are escaped."""

    _ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (the library's name)
        return super().formatMessage(record).translate(self._ESCAPES)


class listening(contextlib.AbstractContextManager[socket.socket]):  # noqa: N801  (used as a function)
    """A listening socket at a path; a stale one there is replaced, and it is removed at the end.

    It is for its owner alone, or for the owner's group: a worker in a container of its own has another id.
    """

    def __init__(self, path: Path, *, for_group: bool = False) -> None:
        self._path = path
        self._mask = 0o117 if for_group else 0o177
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

    def __enter__(self) -> socket.socket:
        self._path.unlink(missing_ok=True)
        mask = os.umask(self._mask)
        try:
            self._socket.bind(str(self._path))
        finally:
            os.umask(mask)
        self._socket.listen(_BACKLOG)
        return self._socket

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._path.unlink(missing_ok=True)


def _stop_on_signals(server: Server) -> None:
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    server.watch(reader)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _Stop(server).stop)


class _Stop:
    """What a signal does: ask the loop to end."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def stop(self, *_: object) -> None:
        self._server.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
