"""Messages between the runner and its two helpers: small JSON datagrams that may carry descriptors.

One message is one datagram on a sequenced-packet socket pair, so that none is ever cut or joined.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
from dataclasses import dataclass, field
from typing import Any

_LARGEST_MESSAGE = 64 * 1024
_MOST_DESCRIPTORS = 32
# Where the kernel has no sequenced packets between local sockets (macOS), datagrams do.
_KIND = socket.SOCK_SEQPACKET if hasattr(socket, "SO_PASSCRED") else socket.SOCK_DGRAM


class ChannelClosedError(Exception):
    """The other side is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What came over a channel; whoever takes it owns its descriptors."""

    kind: str
    values: dict[str, Any] = field(default_factory=dict)
    descriptors: tuple[int, ...] = ()


class Channel:
    """One end of a pair; `fileno` lets a selector watch it."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end

    def fileno(self) -> int:
        """The descriptor of this end."""
        return self._socket.fileno()

    def send(self, kind: str, /, *, descriptors: tuple[int, ...] = (), **values: Any) -> None:
        """Send one message; the descriptors stay open here.

        Raises:
            ChannelClosedError: the other side is gone.
        """
        text = json.dumps({"kind": kind, **values}).encode()
        try:
            socket.send_fds(self._socket, [text], list(descriptors))
        except (BrokenPipeError, ConnectionResetError) as error:
            raise ChannelClosedError from error

    def receive(self) -> Message:
        """Wait for the next message.

        Raises:
            ChannelClosedError: the other side is gone.
        """
        try:
            data, descriptors, _, _ = socket.recv_fds(self._socket, _LARGEST_MESSAGE, _MOST_DESCRIPTORS)
        except ConnectionResetError as error:
            raise ChannelClosedError from error
        if not data:
            raise ChannelClosedError
        values = json.loads(data.decode())
        return Message(kind=values.pop("kind"), values=values, descriptors=tuple(descriptors))

    def close(self) -> None:
        """Close this end."""
        self._socket.close()


def channel_pair() -> tuple[Channel, int]:
    """One end, and the descriptor of the other for a program that is about to be started."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, _KIND)
    return Channel(ours), theirs.detach()


def inherited_channel(descriptor: int) -> Channel:
    """The end whose descriptor a starting program was given."""
    return Channel(socket.socket(fileno=descriptor))


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data` to a blocking descriptor."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def read_exactly(descriptor: int, size: int) -> bytes:
    """Read `size` bytes from a blocking descriptor, or fewer where it ends."""
    data = b""
    while len(data) < size and (piece := os.read(descriptor, size - len(data))):
        data += piece
    return data


def close_all(descriptors: tuple[int, ...] | list[int]) -> None:
    """Close descriptors, also those closed before."""
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)
