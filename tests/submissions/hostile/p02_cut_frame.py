"""Sends half a frame and ends."""

import fcntl
import json
import os
import stat
import struct


def channel():
    """The descriptor that results leave by: the last pipe that can be written to."""
    found = []
    for number in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(number).st_mode) and fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY:
                found.append(number)
        except OSError:
            pass
    return found[-1]


def frame(header, body=b""):
    """A frame as the harness writes it."""
    text = json.dumps(header).encode()
    return struct.pack(">I", len(text)) + text + struct.pack(">Q", len(body)) + body


def write(data):
    """All of it."""
    number = channel()
    while data:
        data = data[os.write(number, data) :]


def row_softmax(x):
    data = frame({"kind": "result", "index": 0, "seconds": 0.0}, bytes(1000))
    write(data[: len(data) // 2])
    os._exit(0)
