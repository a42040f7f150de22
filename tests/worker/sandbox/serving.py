"""A runner inside the test process, so that its own lines are measured; its maker and template are real programs."""

import contextlib
import socket
import threading

from worker.sandbox.client import Client
from worker.sandbox.machine import explore
from worker.sandbox.server import Server


@contextlib.contextmanager
def server_here(folder, *, slots=2, allow_reduced=False, machine=None):
    """A started server in a thread of its own, and a client of it."""
    server = Server(machine or explore(), slots=slots, allow_reduced=allow_reduced)
    reader, writer = socket.socketpair()
    try:
        server.watch(reader)
        server.start()
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            path = folder / "runner.sock"
            listener.bind(str(path))
            listener.listen()
            server.listen(listener)
            thread = threading.Thread(target=server.serve)
            thread.start()
            try:
                yield server, Client(path)
            finally:
                server.stop()
                writer.send(b"x")
                thread.join()
    finally:
        server.close()
        reader.close()
        writer.close()
