"""One client at the runner's socket: a job or a question comes in, frames go out."""

from __future__ import annotations

import selectors
import socket
from typing import Protocol

from worker.sandbox.commands import fault_frame
from worker.sandbox.frames import TRUSTED_HEADER_BYTES, Frame, FrameReader, WireError, encode_frame

_READ_BYTES = 256 * 1024
# Trusted code sends this; the cap only stops a stranger's bytes from being taken for a length.
_LARGEST_BODY = 1 << 30


class Listener(Protocol):
    """Who acts on what a client says."""

    def asked(self, connection: Connection, frames: list[Frame]) -> None:
        """A question, or a job with all its frames."""

    def left(self, connection: Connection) -> None:
        """The client is gone."""


class Connection:
    """Reads one request, then only notices that the client leaves; writes without blocking."""

    def __init__(self, client: socket.socket, listener: Listener, *, selector: selectors.BaseSelector) -> None:
        client.setblocking(False)
        self._socket = client
        self._listener = listener
        self._selector = selector
        self._reader = FrameReader(max_header=TRUSTED_HEADER_BYTES, max_body=_LARGEST_BODY)
        self._frames: list[Frame] = []
        self._outgoing = bytearray()
        self._is_asked = False
        self._is_last = False
        self.is_open = True
        selector.register(client, selectors.EVENT_READ, self.handle)

    def handle(self) -> None:
        """Something can be read or written."""
        self._write()
        if self.is_open:
            self._read()

    def _read(self) -> None:
        try:
            data = self._socket.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except ConnectionResetError:
            data = b""
        if not data:
            self._leave()
            return
        try:
            self._frames += self._reader.feed(data)
            if not self._is_asked and self._frames and len(self._frames) > self._expected():
                self._is_asked = True
                self._listener.asked(self, self._frames)
        except WireError as error:
            self.send_last(fault_frame(f"not understood: {error}"))

    def _expected(self) -> int:
        """How many frames follow the first one."""
        count = self._frames[0].header.get("frames", 0)
        if type(count) is not int:
            raise WireError("expected a number of frames")
        return count

    def send(self, frame: Frame) -> None:
        """Send a frame, now or when the client can take it."""
        if self.is_open:
            self._outgoing += encode_frame(frame)
            self._write()

    def send_last(self, frame: Frame) -> None:
        """Send a frame and end the connection once it is out."""
        self._is_last = True
        self.send(frame)

    def _write(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: self._socket.send(self._outgoing)]
        except BlockingIOError:
            self._selector.modify(self._socket, selectors.EVENT_READ | selectors.EVENT_WRITE, self.handle)
            return
        except (BrokenPipeError, ConnectionResetError):
            self._leave()
            return
        if self._is_last:
            self.close()
        elif self._selector.get_key(self._socket).events & selectors.EVENT_WRITE:
            self._selector.modify(self._socket, selectors.EVENT_READ, self.handle)

    def _leave(self) -> None:
        self.close()
        self._listener.left(self)

    def close(self) -> None:
        """End the connection."""
        if self.is_open:
            self.is_open = False
            self._selector.unregister(self._socket)
            self._socket.close()
